import { describe, expect, test } from "vitest";

import { ownBootstrapFolder } from "../../../policy/checks/ownBootstrapFolder.ts";
import { checkStack, configurationType, goodBootstrap, goodConfiguration, unknown } from "../fixtures.ts";

function configuration(name: string, path: unknown, branch = "main") {
  const inputs = {
    ...goodConfiguration(),
    gitRepository: { ...goodConfiguration().gitRepository, repositoryRef: { branch } },
    kustomizations: { bootstrap: { ...goodBootstrap(), path } },
  };
  return { type: configurationType, name, inputs };
}

const check = (...resources: ReturnType<typeof configuration>[]) => checkStack(ownBootstrapFolder, resources);

describe("own-bootstrap-folder", () => {
  test("passes clusters with folders of their own", async () => {
    expect(
      await check(configuration("a", "./clusters/a/flux"), configuration("b", "./clusters/b/flux")),
    ).toEqual({
      violations: [],
    });
  });

  test("refuses two on one folder, however it is written, and names both", async () => {
    const { violations } = await check(
      configuration("a", "./clusters/a/flux"),
      configuration("b", "clusters/a/flux/"),
    );
    expect(violations).toEqual([
      expect.stringContaining(
        "'b' and FluxConfiguration 'a' both bootstrap from './clusters/a/flux' on branch 'main'",
      ),
    ]);
  });

  test("lets one folder be followed on two branches", async () => {
    expect(await check(configuration("a", "./c", "dev"), configuration("b", "./c", "prod"))).toEqual({
      violations: [],
    });
  });

  test("compares the others while one is unknown or absent", async () => {
    const { violations, skipped } = await check(
      configuration("x", unknown),
      configuration("y", undefined),
      configuration("a", "./c"),
      configuration("b", "./c"),
    );
    expect(violations).toHaveLength(1);
    expect(skipped).toContain("FluxConfiguration 'x'");
  });
});

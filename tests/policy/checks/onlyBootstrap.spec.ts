import { describe, expect, test } from "vitest";

import { onlyBootstrap } from "../../../policy/checks/onlyBootstrap.ts";
import { checkResource, configurationType, goodBootstrap, goodConfiguration, unknown } from "../fixtures.ts";

const check = (props: Record<string, unknown>, type = configurationType) =>
  checkResource(onlyBootstrap, type, props);

describe("only-bootstrap", () => {
  test("passes one kustomization named bootstrap", async () => {
    expect(await check(goodConfiguration())).toEqual({ violations: [] });
  });

  test("refuses an application beside it, and names it (C06)", async () => {
    const kustomizations = { bootstrap: goodBootstrap(), pos: goodBootstrap() };
    const { violations } = await check({ ...goodConfiguration(), kustomizations });
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain("FluxConfiguration 'edge-0' also holds 'pos'");
    expect(violations[0]).toContain("fleet file");
  });

  test("refuses another name in its place", async () => {
    const { violations } = await check({ ...goodConfiguration(), kustomizations: { apps: goodBootstrap() } });
    expect(violations).toHaveLength(2);
    expect(violations[1]).toContain("holds no kustomization named 'bootstrap'");
  });

  test.each([
    ["absent", undefined],
    ["empty", {}],
    ["null", null],
  ])("refuses %s kustomizations", async (_, value) => {
    const { violations } = await check({ ...goodConfiguration(), kustomizations: value });
    expect(violations).toEqual([expect.stringContaining("holds no kustomization named 'bootstrap'")]);
  });

  test("sees names although what is below them is unknown", async () => {
    const kustomizations = { bootstrap: unknown, pos: unknown };
    const { violations, skipped } = await check({ ...goodConfiguration(), kustomizations });
    expect(violations).toHaveLength(1);
    expect(skipped).toBeUndefined();
  });

  test("says so when the whole map is unknown", async () => {
    const { violations, skipped } = await check({ ...goodConfiguration(), kustomizations: unknown });
    expect(violations).toEqual([]);
    expect(skipped).toContain(".kustomizations");
  });

  test.each([
    "azure-native:kubernetesconfiguration/v20241101:FluxConfiguration",
    "azure-native_kubernetesconfiguration_v20230501:kubernetesconfiguration:FluxConfiguration",
  ])("also looks at %s", async (type) => {
    expect((await check({ ...goodConfiguration(), kustomizations: {} }, type)).violations).toHaveLength(1);
  });

  test("leaves other types alone", async () => {
    expect(await check({}, "azure-native:kubernetesconfiguration:Extension")).toEqual({ violations: [] });
  });
});

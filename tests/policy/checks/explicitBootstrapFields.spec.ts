import { describe, expect, test } from "vitest";

import { explicitBootstrapFields } from "../../../policy/checks/explicitBootstrapFields.ts";
import { checkResource, configurationType, goodBootstrap, goodConfiguration, unknown } from "../fixtures.ts";

const check = (change: Record<string, unknown>) =>
  checkResource(explicitBootstrapFields, configurationType, {
    ...goodConfiguration(),
    kustomizations: { bootstrap: { ...goodBootstrap(), ...change } },
  });

describe("explicit-bootstrap-fields", () => {
  test("passes when every field is given, false and zero too", async () => {
    expect(await check({ prune: false, retryIntervalInSeconds: 0 })).toEqual({ violations: [] });
  });

  test.each([
    ["path", "string"],
    ["timeoutInSeconds", "number"],
    ["syncIntervalInSeconds", "number"],
    ["retryIntervalInSeconds", "number"],
    ["prune", "boolean"],
    ["force", "boolean"],
    ["wait", "boolean"],
  ])("refuses %s left out (C06)", async (field, type) => {
    const { violations } = await check({ [field]: undefined });
    expect(violations).toEqual([
      expect.stringContaining(
        `FluxConfiguration 'edge-0': kustomizations.bootstrap.${field} is not given; a ${type} is needed. Set it`,
      ),
    ]);
  });

  test("refuses an empty path and a value of another type", async () => {
    expect((await check({ path: "" })).violations).toHaveLength(1);
    expect((await check({ wait: "false" })).violations).toHaveLength(1);
  });

  test("names all of them at once, for every kustomization", async () => {
    const { violations } = await checkResource(explicitBootstrapFields, configurationType, {
      ...goodConfiguration(),
      kustomizations: { bootstrap: {}, apps: { path: "./apps" } },
    });
    expect(violations).toHaveLength(7 + 6);
  });

  test("leaves out only the field that is unknown", async () => {
    const { violations, skipped } = await check({ path: unknown, wait: undefined });
    expect(violations).toEqual([expect.stringContaining("kustomizations.bootstrap.wait")]);
    expect(skipped).toContain(".kustomizations.bootstrap.path can't be known");
  });
});

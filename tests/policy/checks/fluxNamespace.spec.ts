import { describe, expect, test } from "vitest";

import { fluxNamespace } from "../../../policy/checks/fluxNamespace.ts";
import { checkResource, configurationType, goodConfiguration, unknown } from "../fixtures.ts";

const check = (change: Record<string, unknown>, config = {}) =>
  checkResource(fluxNamespace, configurationType, { ...goodConfiguration(), ...change }, config);

describe("flux-namespace", () => {
  test("passes flux-system and a scope", async () => {
    expect(await check({})).toEqual({ violations: [] });
    expect(await check({ scope: "namespace" })).toEqual({ violations: [] });
  });

  test.each([
    ["default", "'default'"],
    ["", "''"],
    [undefined, "not given"],
  ])("refuses namespace %o", async (namespace, shown) => {
    const { violations } = await check({ namespace });
    expect(violations).toEqual([
      expect.stringContaining(`FluxConfiguration 'edge-0': namespace is ${shown}; allowed is 'flux-system'`),
    ]);
  });

  test("refuses an absent scope and one that Azure does not know", async () => {
    expect((await check({ scope: undefined })).violations).toEqual([
      expect.stringContaining("scope is not given"),
    ]);
    expect((await check({ scope: "Cluster" })).violations).toEqual([
      expect.stringContaining("scope is 'Cluster'"),
    ]);
  });

  test("takes the namespace from configuration", async () => {
    expect(await check({ namespace: "gitops" }, { namespace: "gitops" })).toEqual({ violations: [] });
    expect((await check({}, { namespace: "gitops" })).violations).toHaveLength(1);
  });

  test("checks the scope although the namespace is unknown", async () => {
    const { violations, skipped } = await check({ namespace: unknown, scope: undefined });
    expect(violations).toEqual([expect.stringContaining("scope is not given")]);
    expect(skipped).toContain("FluxConfiguration 'edge-0': string value at .namespace can't be known");
  });
});

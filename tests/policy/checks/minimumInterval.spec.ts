import { describe, expect, test } from "vitest";

import { minimumInterval } from "../../../policy/checks/minimumInterval.ts";
import { checkResource, gitFilesType, goodFiles, kustomization, unknown } from "../fixtures.ts";

const check = (files: unknown, config = {}) =>
  checkResource(minimumInterval, gitFilesType, { ...goodFiles(), files }, config);
const withInterval = (interval: string) => ({
  "flux/set-01.yaml": kustomization(`  interval: ${interval}\n`),
});

describe("minimum-interval", () => {
  test.each(["60s", "1m", "1m0s", "0.5h", "1h30m", "60000ms"])("passes %s", async (interval) => {
    expect(await check(withInterval(interval))).toEqual({ violations: [] });
  });

  test.each(["59s", "59999ms", "0.9m", "1ms", "0s"])("refuses %s as too short", async (interval) => {
    const { violations } = await check(withInterval(interval));
    expect(violations).toEqual([
      expect.stringContaining(
        `GitFiles 'edge-0', file 'flux/set-01.yaml', Kustomization 'set-01': spec.interval is '${interval}'; at least 60 s`,
      ),
    ]);
  });

  test.each(["600", "10", "10x", '"10 m"', "PT10M", "-10m", "[10m]", "${interval}"])(
    "refuses %s, which is no duration",
    async (interval) => {
      const { violations } = await check(withInterval(interval));
      expect(violations).toEqual([expect.stringContaining("a duration of at least 60 s is needed")]);
    },
  );

  test("refuses a Kustomization without interval, and lets an Alert be without", async () => {
    expect((await check({ "flux/a.yaml": kustomization("  prune: true\n") })).violations).toEqual([
      expect.stringContaining("spec.interval is not given"),
    ]);
    const alert = "apiVersion: notification.toolkit.fluxcd.io/v1beta3\nkind: Alert\nmetadata: {name: ops}\n";
    expect(await check({ "flux/alert-ops.yaml": alert })).toEqual({ violations: [] });
  });

  test("takes a patch of apps for a part of an object, whose interval is the app's unless it states one", async () => {
    const patch = (spec: string) =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: pos}\nspec: ${spec}\n`;
    const config = "kind: Kustomization\npatches: [{ path: values/pos.yaml }]\n";
    const apps = (spec: string) => ({
      "apps/kustomization.yaml": config,
      "apps/values/pos.yaml": patch(spec),
    });
    expect(await check(apps("{chart: {spec: {version: 3.1.0}}}"))).toEqual({ violations: [] });
    expect((await check(apps("{interval: 5s}"))).violations).toEqual([
      expect.stringContaining("HelmRelease 'pos': spec.interval is '5s'"),
    ]);
    // Listed nowhere as a patch, it is a whole object.
    expect((await check({ "apps/values/pos.yaml": patch("{}") })).violations).toHaveLength(1);
  });

  test("finds every Flux object of a file: documents, lists and sources", async () => {
    const source =
      "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: s}\nspec: {interval: 5s}\n";
    const list =
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: helm.toolkit.fluxcd.io/v2\n  kind: HelmRelease\n" +
      "  metadata: {name: h}\n  spec: {interval: 6s}\n";
    const { violations } = await check({ "flux/many.yml": `${kustomization()}---\n${source}---\n${list}` });
    expect(violations).toHaveLength(2);
    expect(violations[0]).toContain("GitRepository 's'");
    expect(violations[1]).toContain("HelmRelease 'h'");
  });

  test("leaves what is not Flux alone", async () => {
    const job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: w}\nspec: {interval: 1s}\n";
    const files = {
      "flux/window.yaml": job,
      "README.md": "interval: 1s\n",
      "apps/values/a.yaml": "interval: 1s\n",
    };
    expect(await check({ ...files, "flux/empty.yaml": "" })).toEqual({ violations: [] });
  });

  test("refuses a file that does not parse, without quoting it", async () => {
    const { violations } = await check({ "flux/broken.yaml": "spec:\n  key: [swordfish\n" });
    expect(violations).toEqual([
      expect.stringMatching(/file 'flux\/broken.yaml' is not valid YAML at line \d/),
    ]);
    expect(violations.join()).not.toContain("swordfish");
  });

  test("refuses aliases that grow without end", async () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefgh".split("").map((key, at) => {
        const before = "abcdefg"[at] ?? "";
        return `${key}: &${key} [${Array(9).fill(`*${before}`).join(",")}]`;
      }),
    ].join("\n");
    expect((await check({ "flux/bomb.yaml": bomb })).violations).toEqual([
      expect.stringContaining("stands for more than 1000000 values"),
    ]);
  });

  test("takes the minimum from configuration", async () => {
    expect((await check(withInterval("2m"), { minimumSeconds: 300 })).violations).toHaveLength(1);
    expect(await check(withInterval("10s"), { minimumSeconds: 5 })).toEqual({ violations: [] });
  });

  test.each([
    [60, "10m"],
    [600, "10m"],
    [601, "11m"],
    [700, "12m"],
    [7200, "120m"],
  ])("gives an example that is long enough for a minimum of %d s", async (minimumSeconds, example) => {
    const messages = [
      ...(await check(withInterval("1s"), { minimumSeconds })).violations,
      ...(await check(withInterval("soon"), { minimumSeconds })).violations,
    ];
    expect(messages).toHaveLength(2);
    for (const message of messages) expect(message).toContain(`such as '${example}'`);
    expect(await check(withInterval(example), { minimumSeconds })).toEqual({ violations: [] });
  });

  test("checks the other files when some are unknown, and says which were left out", async () => {
    const { violations, skipped } = await check({
      "flux/a.yaml": unknown,
      ...withInterval("5s"),
      "flux/z.yaml": unknown,
    });
    expect(violations).toHaveLength(1);
    expect(skipped).toContain("file 'flux/a.yaml'");
    expect(skipped).toContain("file 'flux/z.yaml'");
  });

  test("leaves absent files to the check of the folder", async () => {
    expect(await check(undefined)).toEqual({ violations: [] });
  });
});

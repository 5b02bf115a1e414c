import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderArgs } from "../../program/folderArgs.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { pluginOn } from "../provider/pluginOn.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { arcflux } from "./process.ts";

let shop: GitWorkshop;
let url: string;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = `file://${await shop.repository({ "README.md": "read me\n" })}`;
});
afterEach(() => shop.remove());

const fleetText = (sets: Readonly<Record<string, string>>, more = "") =>
  [
    "apiVersion: arcflux/v1",
    `repository: { url: "${url}" }`,
    "platform: kubernetes",
    ...(more === "" ? [] : [more]),
    "clusters:",
    ...Object.entries(sets).map(
      ([name, set]) => `  ${name}: { kubeconfig: { context: ${name} }, sets: { ${set} } }`,
    ),
    "",
  ].join("\n");

const urnOf = (name: string) => `urn:pulumi:prod::edge::arcflux-git:index:GitFiles::${name}-files`;

/** The inputs of GitFiles as the program hands them over. */
const inputsOf = (text: string) => {
  const fleet = mustLoad(text);
  return fleet.clusters.map((cluster) => {
    const args = folderArgs(cluster, fleet, renderClusterFolder(cluster, fleet), {});
    const { folder: directory, repository, branch, files, author, delivery, followed } = args;
    const place = { repository, branch, directory, files, followed };
    return { name: cluster.name, inputs: { ...place, author, delivery, message: "{summary}" } };
  });
};

const run = async (text: string, ...args: string[]) => {
  await writeFile(join(shop.folder, "fleet.yaml"), text);
  return arcflux(["commit", ...args], shop.folder, {
    env: { ARCFLUX_CACHE_DIR: shop.cache, HOME: shop.home },
  });
};
const repository = () => url.slice("file://".length);

describe("arcflux commit", () => {
  it("writes what an update would, with no state; the next update finds it the same", async () => {
    const before = fleetText({ "edge-0": "pos: {}", "edge-1": "pos: {}" });
    const states = await Promise.all(
      inputsOf(before).map(({ name, inputs }) => pluginOn(shop).create(urnOf(name), inputs)),
    );
    const after = fleetText({
      "edge-0": "pos: { interval: 20m }, till: {}",
      "edge-1": "pos: { interval: 20m }",
    });
    // Twice before the backend is back: the state knows neither.
    const first = fleetText({ "edge-0": "pos: { interval: 15m }", "edge-1": "pos: {}" });
    expect((await run(first, "--reason", "a try")).code).toBe(0);
    // One cluster alone: the others are not gone.
    const one = await run(
      fleetText({ "edge-0": "pos: { interval: 16m }", "edge-1": "pos: {}" }),
      "edge-0",
      "--reason",
      "x",
    );
    expect([one.code, one.err]).toEqual([0, ""]);
    const { code, out, err } = await run(after, "--reason", "INC-4711, the backend is down");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^2 clusters committed \([0-9a-f]{10}\), 0 unchanged, 0 refused\.\n/);
    const log = shop.git(repository(), "log", "-1", "--format=%B");
    expect(log).toContain("edge-0: + flux/till.yaml, ~ flux/pos.yaml; edge-1: ~ flux/pos.yaml\n");
    expect(log).toContain("\nINC-4711, the backend is down\n");
    expect(log).toMatch(/^Arcflux-Stack: prod$/m);

    const commits = shop.log(repository());
    const plugin = pluginOn(shop, { machine: "another" });
    for (const [index, { name, inputs }] of inputsOf(after).entries()) {
      const state = states[index];
      await plugin.update(state?.id ?? "", urnOf(name), { ...state?.outs }, inputs);
    }
    expect(shop.log(repository())).toEqual(commits);
    expect((await run(after, "--reason", "again")).out).toContain(
      "no cluster committed, 2 unchanged, 0 refused.",
    );
  });

  it("has the guards of an update: what goes is named first, what somebody changed stays, one is refused alone", async () => {
    const before = fleetText({ "edge-0": "pos: {}, till: {}", "edge-1": "pos: {}" });
    for (const { name, inputs } of inputsOf(before)) await pluginOn(shop).create(urnOf(name), inputs);
    const gone = await run(fleetText({ "edge-0": "pos: {}", "edge-1": "pos: {}" }), "--reason", "less");
    expect(gone.code).toBe(2);
    expect(gone.err).toContain("removed: [");

    shop.commit(repository(), { "clusters/edge-1/flux/pos.yaml": "a: 1\n" });
    const changed = fleetText({
      "edge-0": "pos: { interval: 20m }, till: {}",
      "edge-1": "pos: { interval: 20m }",
    });
    const { code, out, err } = await run(changed, "--reason", "faster");
    expect([code, out.split(" (")[0]]).toEqual([1, "1 cluster committed"]);
    expect(out).toContain("0 unchanged, 1 refused");
    expect(err).toContain("clusters/edge-1/flux/pos.yaml");
  });

  it("takes clusters that a stack owns, a reason and known names alone", async () => {
    const text = fleetText({ "edge-0": "pos: {}" });
    const never = await run(text, "--reason", "first");
    expect([never.code, never.err]).toEqual([
      2,
      "edge-0: no update has written that folder yet, so no stack owns it. Run pulumi up for it first.\n",
    ]);
    expect((await run(text, "edge-9", "--reason", "x")).code).toBe(2);
    expect((await run(text)).err).toContain("--reason");
    expect(shop.log(repository())).toHaveLength(1);
  });
});

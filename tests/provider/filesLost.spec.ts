import { renameSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eachWithAResource, plugin, shop, url, urn, warnings } from "./aResource.ts";
import { pluginOn } from "./pluginOn.ts";

// A cluster that follows a move deletes what files of others in the old folder applied, unless the new one has them too.

eachWithAResource();

type Properties = Record<string, unknown>;
const inputs = (flux: string, more: Properties = {}): Properties => ({
  repository: url,
  branch: "main",
  directory: "edge-1",
  files: { [`${flux}/pos.yaml`]: "a: 1\n", [`${flux}/web.yaml`]: "b: 1\n", "apps/pos/app.yaml": "c: 1\n" },
  message: "Write",
  author: { name: "Arcflux", email: "arcflux@example.com" },
  ...more,
});
const create = async (wanted: Properties): Promise<Properties> =>
  (await plugin.create(urn, wanted)).outs as never;
/** What a preview of the change says; each is a process of its own. */
const preview = async (
  state: Properties,
  wanted: Properties,
  process = pluginOn(shop, { warnings }),
): Promise<string[]> => {
  warnings.splice(0);
  expect((await process.diff("id", urn, state, wanted)).changes).toBe(true);
  return warnings.splice(0);
};

describe("before a move is made", () => {
  it.each([
    ["a file", { "edge-1/flux/by-hand.yaml": "d: 1\n" }, "edge-1/flux/by-hand.yaml"],
    ["one further down", { "edge-1/flux/team/by-hand.yml": "d: 1\n" }, "edge-1/flux/team/by-hand.yml"],
    [
      "two",
      { "edge-1/flux/a.yaml": "d: 1\n", "edge-1/flux/b.yaml": "d: 2\n" },
      "edge-1/flux/a.yaml, edge-1/flux/b.yaml",
    ],
  ])("%s of others that the new folder lacks is told", async (_what, theirs, names) => {
    const state = await create(inputs("flux"));
    const tip = shop.commit(url, theirs);
    expect(await preview(state, inputs("gitops"))).toEqual([
      `the files move, and others have files where they were that are not in the new place: ${names}. When the cluster ` +
        `follows, Flux deletes what those applied. To keep that, commit them to edge-1/gitops first.`,
    ]);
    expect(shop.git(url, "rev-parse", "main").trim()).toBe(tip.trim());
  });

  it("nothing is told of what the new folder has under the same name, or with the same content", async () => {
    const state = await create(inputs("flux"));
    shop.commit(url, {
      "edge-1/flux/named.yaml": "d: 1\n",
      "edge-1/flux/same.yaml": "d: 2\n",
      "edge-1/gitops/named.yaml": "d: 1 # of the new place\n",
      "edge-1/gitops/team/renamed.yaml": "d: 2\n",
    });
    expect(await preview(state, inputs("gitops"))).toEqual([]);
    shop.commit(url, { "edge-1/gitops/named.yaml": null, "edge-1/apps/pos/named.yaml": "d: 3\n" });
    expect(await preview(state, inputs("gitops"))).toEqual([
      expect.stringContaining(": edge-1/flux/named.yaml. "),
    ]);
  });

  it("nothing is told of what Flux does not apply: no YAML, or shut out by a list of ours", async () => {
    const state = await create(inputs("flux"));
    shop.commit(url, { "edge-1/flux/README.md": "read me\n", "edge-1/flux/run.sh": "true\n" });
    expect(await preview(state, inputs("gitops"))).toEqual([]);

    const closed = (directory: string): Properties =>
      inputs("", {
        directory,
        files: { "pos.yaml": "a: 1\n", "kustomization.yaml": "resources: [pos.yaml]\n" },
      });
    const listed = await create(closed("edge-2"));
    shop.commit(url, { "edge-2/sets/pos/app.yaml": "d: 1\n" });
    expect(await preview(listed, closed("edge-3"))).toEqual([]);
  });

  it("what a list of ours shuts out in the new folder is told, though it is there", async () => {
    const state = await create(inputs("flux"));
    shop.commit(url, { "edge-1/flux/by-hand.yaml": "d: 1\n", "edge-1/gitops/by-hand.yaml": "d: 1\n" });
    const files = { "gitops/pos.yaml": "a: 1\n", "gitops/kustomization.yaml": "resources: [pos.yaml]\n" };
    expect(await preview(state, inputs("gitops", { files }))).toEqual([
      "the files move, and others have files where they were that do not come along: edge-1/flux/by-hand.yaml. When the " +
        "cluster follows, Flux deletes what those applied. To keep that, have a set of yours apply them: in edge-1/gitops, " +
        "Flux takes the generated files alone.",
    ]);
  });

  it("files of other resources of the run are none of others", async () => {
    const [one, two] = [
      inputs("flux", { files: { "flux/a.yaml": "a: 1\n" } }),
      inputs("flux", { files: { "flux/b.yaml": "b: 1\n" } }),
    ];
    const state = await create(one);
    const other = urn.replace("edge-1", "other");
    await plugin.create(other, two);
    const run = pluginOn(shop, { warnings });
    await run.check(other, two, inputs("flux", { files: { "gitops/b.yaml": "b: 1\n" } }));
    expect(await preview(state, inputs("flux", { files: { "gitops/a.yaml": "a: 1\n" } }), run)).toEqual([]);
  });

  it("nothing is told where no folder is left: a set more, a set less, none left, other content", async () => {
    const state = await create(inputs("flux"));
    shop.commit(url, { "edge-1/flux/by-hand.yaml": "d: 1\n", "edge-1/apps/pos/by-hand.yaml": "d: 1\n" });
    for (const files of [
      { "flux/pos.yaml": "a: 1\n", "flux/web.yaml": "b: 1\n", "flux/new.yaml": "e: 1\n" },
      { "flux/pos.yaml": "a: 2\n", "apps/pos/app.yaml": "c: 1\n" },
      { "flux/.gitkeep": "\n" },
    ]) {
      expect(await preview(state, inputs("flux", { files }))).toEqual([]);
    }
  });

  it("it is told of another folder of the cluster, of each folder that is left", async () => {
    const state = await create(inputs("flux"));
    shop.commit(url, { "edge-1/flux/by-hand.yaml": "d: 1\n", "edge-1/apps/pos/extra.yaml": "d: 2\n" });
    const said = await preview(state, inputs("flux", { directory: "store-1" }));
    expect(said).toHaveLength(2);
    expect(said[0]).toMatch(/: edge-1\/flux\/by-hand\.yaml\. .* commit them to store-1\/flux first\.$/);
    expect(said[1]).toMatch(
      /: edge-1\/apps\/pos\/extra\.yaml\. .* commit them to store-1\/apps\/pos first\.$/,
    );
  });

  it("it is told of another branch, also where that is still to be made, and of another repository", async () => {
    const state = await create(inputs("flux"));
    shop.commit(url, { "edge-1/flux/by-hand.yaml": "d: 1\n" });
    shop.git(url, "branch", "old", "main~1");
    shop.git(url, "branch", "live", "main");
    const lost = [
      expect.stringMatching(/: edge-1\/flux\/by-hand\.yaml\. .* to edge-1\/flux on branch .* of .* first\.$/),
    ];
    expect(await preview(state, inputs("flux", { branch: "old" }))).toEqual(lost);
    expect(await preview(state, inputs("flux", { branch: "new" }))).toEqual(lost);
    // It will start with all that is on the default branch.
    const delivery = { createBranch: "fromDefault" };
    expect(await preview(state, inputs("flux", { branch: "new", delivery }))).toEqual([]);
    expect(await preview(state, inputs("flux", { branch: "live" }))).toEqual([]);
    const elsewhere = await shop.repository({ "README.md": "read me\n" }, { name: "mirror" });
    expect(await preview(state, inputs("flux", { repository: elsewhere }))).toEqual(lost);
  });

  it("files of ours that wait from an earlier move are none of others", async () => {
    const first = await create(inputs("flux"));
    shop.commit(url, { "edge-1/flux/by-hand.yaml": "d: 1\n", "edge-1/gitops/by-hand.yaml": "d: 1\n" });
    const state = (await plugin.update("id", urn, first, inputs("gitops"))).outs as never as Properties;
    const back = (await plugin.update("id", urn, state, inputs("flux"))).outs as never as Properties;
    expect(back["leaving"]).toHaveLength(1);
    expect(await preview(back, inputs("third"))).toEqual([
      expect.stringContaining("not in the new place: edge-1/flux/by-hand.yaml. "),
    ]);
  });

  it("a name that steers a terminal is spelled out", async () => {
    const state = await create(inputs("flux"));
    shop.commit(url, { "edge-1/flux/\u001b[2J.yaml": "d: 1\n" });
    const [said] = await preview(state, inputs("gitops"));
    expect(said).toContain("edge-1/flux/\\u001b[2J.yaml");
  });

  it("a repository that cannot be read is told once, and stops no preview", async () => {
    const state = await create(inputs("flux"));
    renameSync(url, `${url}-away`);
    const said = await preview(state, inputs("gitops"), plugin);
    expect(said).toEqual([
      expect.stringContaining("whether others have files where they are now could not be looked at: "),
    ]);
    expect(await preview(state, inputs("gitops"), plugin)).toEqual([]);
  });

  it("many that are asked for at the same time are all answered", async () => {
    const state = await create(inputs("flux"));
    shop.commit(url, { "edge-1/flux/by-hand.yaml": "d: 1\n" });
    const asked = Array.from({ length: 20 }, (_, index) =>
      plugin.diff("id", urn, state, inputs(`flux-${index}`)),
    );
    await Promise.all(asked);
    expect(warnings.filter((said) => said.includes("edge-1/flux/by-hand.yaml"))).toHaveLength(20);
  });

  it("many resources that move at once are looked up with one fetch", async () => {
    const state = await create(inputs("flux"));
    shop.commit(url, { "edge-1/flux/by-hand.yaml": "d: 1\n" });
    expect(await preview(state, inputs("gitops"), plugin)).toHaveLength(1);
    // Still open from the first, so the server need not be there any more.
    renameSync(url, `${url}-away`);
    expect(await preview(state, inputs("other"), plugin)).toEqual([
      expect.stringContaining("commit them to edge-1/other first"),
    ]);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { eachWithAResource, plugin, shop, url, urn, warnings } from "./aResource.ts";
import { pluginOn } from "./pluginOn.ts";

// Flux deletes what a Kustomization applied when its folder no longer holds it, and does nothing when the folder is gone.

eachWithAResource();

type Properties = Record<string, unknown>;
const inputs = (directory: string, more: Properties = {}): Properties => ({
  repository: url,
  branch: "main",
  directory,
  files: { "set-01.yaml": "a: 1\n", "sub/set-02.yaml": "b: 1\n" },
  message: "Write",
  author: { name: "Arcflux", email: "arcflux@example.com" },
  ...more,
});
const create = async (wanted: Properties): Promise<Properties> =>
  (await plugin.create(urn, wanted)).outs as never;
const update = async (state: Properties, wanted: Properties): Promise<Properties> => {
  const said = warnings.length;
  expect((await plugin.diff("id", urn, state, wanted)).changes).toBe(true);
  // What a preview says of files of others is in filesLost.spec.ts.
  warnings.splice(said);
  return (await plugin.update("id", urn, state, wanted)).outs as never;
};
/** The update by which somebody says that the clusters have followed. */
const finish = (state: Properties, wanted: Properties): Promise<Properties> =>
  update(state, { ...wanted, onMove: "finish" });
const isDone = async (state: Properties, wanted: Properties): Promise<boolean> =>
  !(await plugin.diff("id", urn, state, wanted)).changes;
const files = (branch = "main"): string[] =>
  shop
    .git(url, "ls-tree", "-r", "--name-only", branch)
    .split("\n")
    .filter((path) => path !== "README.md");
const ours = (folder: string): string[] => [`${folder}/set-01.yaml`, `${folder}/sub/set-02.yaml`];

describe("a folder that a resource leaves", () => {
  it("is gone with the same commit where nobody else has a file in it", async () => {
    const state = await update(await create(inputs("old/flux")), inputs("new/flux"));
    expect(files()).toEqual(ours("new/flux"));
    expect(state).not.toHaveProperty("leaving");
    expect(warnings).toEqual([]);
    expect((await plugin.diff("id", urn, state, inputs("new/flux"))).changes).toBe(false);
  });

  it.each([
    ["a file", "old/flux/by-hand.yaml"],
    ["a file that is no YAML", "old/flux/README.md"],
    ["a file among ours, further down", "old/flux/sub/by-hand.yaml"],
    ["a folder", "old/flux/theirs/by-hand.yaml", "old/flux/theirs"],
  ])(
    "with %s of others in it keeps ours until that is said to be over",
    async (_what, theirs, named = theirs) => {
      const before = await create(inputs("old/flux"));
      shop.commit(url, { [theirs]: "c: 1\n" });
      const state = await update(before, inputs("new/flux"));
      expect(files().sort()).toEqual([...ours("new/flux"), ...ours("old/flux"), theirs].sort());
      expect(warnings).toEqual([
        expect.stringContaining("those in old/flux on branch main stay for now: others have files there too"),
      ]);
      expect(warnings[0]).toContain(`(${named})`);

      // An update that failed between Git and Azure is run again, and there may be other changes meanwhile.
      expect(await isDone(state, inputs("new/flux"))).toBe(true);
      const again = await update(state, inputs("new/flux", { files: { "set-01.yaml": "a: 2\n" } }));
      expect(files().sort()).toEqual(["new/flux/set-01.yaml", ...ours("old/flux"), theirs].sort());
      const back = await update(again, inputs("new/flux"));

      const after = await finish(back, inputs("new/flux"));
      expect(files().sort()).toEqual([...ours("new/flux"), theirs].sort());
      expect(after).not.toHaveProperty("leaving");
      expect((await plugin.diff("id", urn, after, inputs("new/flux"))).changes).toBe(false);
      expect(warnings).toHaveLength(1);
      expect(shop.log(url)).toHaveLength(7);
      expect(shop.git(url, "log", "-1", "--format=%s", "main")).toBe("Remove what was moved from old/flux");
    },
  );

  it("may be one below the folder of the resource, which stays", async () => {
    const layout = (flux: string): Properties =>
      inputs("edge-1", { files: { [`${flux}set.yaml`]: "a: 1\n", "apps/app.yaml": "b: 1\n" } });
    const before = await create(layout("flux/"));
    shop.commit(url, { "edge-1/flux/by-hand.yaml": "c: 1\n", "edge-1/sets/pos.yaml": "d: 1\n" });
    const theirs = ["edge-1/flux/by-hand.yaml", "edge-1/sets/pos.yaml"];
    const now = ["edge-1/apps/app.yaml", "edge-1/gitops/set.yaml"];
    const state = await update(before, layout("gitops/"));
    expect(files().sort()).toEqual([...now, ...theirs, "edge-1/flux/set.yaml"].sort());
    expect(warnings).toEqual([expect.stringContaining("those in edge-1/flux on branch main stay")]);
    const after = await finish(state, layout("gitops/"));
    expect(files().sort()).toEqual([...now, ...theirs].sort());
    expect(after).not.toHaveProperty("leaving");

    // What the cluster's own sets have in sets/ is no file of the flux folder, until that is the whole folder.
    const root = await update(after, layout(""));
    expect(files()).toContain("edge-1/set.yaml");
    expect(files()).not.toContain("edge-1/gitops/set.yaml");
    expect(warnings).toHaveLength(1);
    const last = await update(root, layout("flux/"));
    expect(warnings.at(-1)).toContain("those in edge-1 on branch main stay for now");
    expect(files()).toContain("edge-1/set.yaml");
    await finish(last, layout("flux/"));
    expect(files()).not.toContain("edge-1/set.yaml");
  });

  it("stops the move where someone changed one of ours in it, with the difference, and nothing is written", async () => {
    const before = await create(inputs("old/flux"));
    shop.commit(url, { "old/flux/set-01.yaml": "a: 1\nsuspend: true\n" }, { message: "INC-1" });
    const tips = shop.log(url);
    await expect(update(before, inputs("new/flux"))).rejects.toThrow(
      /old\/flux\/set-01\.yaml: someone changed it .* the move to new\/flux\/set-01\.yaml would leave that behind.*INC-1.*suspend: true -> \(absent\)/s,
    );
    expect(shop.log(url)).toEqual(tips);
    // Taken into the fleet file, in other words, it goes with the move.
    const taken = { "set-01.yaml": "suspend: true\na: 1\n", "sub/set-02.yaml": "b: 1\n" };
    const again = await update(before, inputs("new/flux", { files: taken }));
    expect(files()).toEqual(ours("new/flux"));
    expect(again).not.toHaveProperty("leaving");
    expect(warnings).toEqual([]);
  });

  it.each([
    ["another folder", "new/flux", "main"],
    ["another branch", "old/flux", "live"],
  ])("stops the move to %s where someone only made one of ours executable", async (_, to, branch) => {
    shop.git(url, "branch", "live", "main");
    const before = await create(inputs("old/flux"));
    shop.commit(url, { "old/flux/set-01.yaml": { mode: "100755", data: "a: 1\n" } }, { message: "chmod" });
    const tips = [shop.log(url), shop.log(url, "live")];
    await expect(update(before, inputs(to, { branch }))).rejects.toThrow(
      /old\/flux\/set-01\.yaml: someone made it executable .* would leave that behind.*chmod/s,
    );
    expect([shop.log(url), shop.log(url, "live")]).toEqual(tips);
    await update(before, inputs(to, { branch, drift: "restore" }));
    expect(files(branch)).toEqual(expect.arrayContaining(ours(to)));
    expect(files()).toContain("old/flux/set-01.yaml");
  });

  it("leaves nothing behind of a change that the fleet file takes in with a move to another branch", async () => {
    shop.git(url, "branch", "live", "main");
    const before = await create(inputs("edge-1"));
    shop.commit(url, { "edge-1/set-01.yaml": "a: 8\n# why\n" });
    const taken = { "set-01.yaml": "a: 8\n", "sub/set-02.yaml": "b: 1\n" };
    const after = await update(before, inputs("edge-1", { branch: "live", files: taken }));
    expect([files(), files("live")]).toEqual([[], ours("edge-1")]);
    expect(after).not.toHaveProperty("leaving");
    expect(warnings).toEqual([]);
  });

  it("is left in spite of a change by a move that drops the changed set", async () => {
    const before = await create(inputs("old/flux"));
    shop.commit(url, { "old/flux/set-01.yaml": "a: 1\nsuspend: true\n" });
    // That is none that moves.
    const files = { "sub/set-02.yaml": "b: 1\n" };
    await update(before, inputs("new/flux", { files }));
    expect(warnings.join("\n")).toContain("it is not as Arcflux left it: old/flux/set-01.yaml");
  });

  it("stops a move to another branch as well, where it is not a killed run that changed it", async () => {
    const before = await create(inputs("edge-1"));
    shop.git(url, "branch", "live", "main");
    await update(
      before,
      inputs("edge-1", { files: { "set-01.yaml": "a: 2\n", "sub/set-02.yaml": "b: 1\n" } }),
    );
    const there = await update(before, inputs("edge-1", { branch: "live" }));
    expect(files("live")).toEqual(ours("edge-1"));
    shop.commit(url, { "edge-1/set-01.yaml": "a: 9\n" }, { branch: "live", message: "INC-2" });
    await expect(update(there, inputs("edge-1"))).rejects.toThrow(
      /Branch live of .*edge-1\/set-01\.yaml: someone changed it .* the move to edge-1\/set-01\.yaml on branch main would leave that behind.*INC-2.*a: 9 -> 1/s,
    );
    const taken = { "set-01.yaml": "# as on live\na: 9\n", "sub/set-02.yaml": "b: 1\n" };
    await update(
      there,
      inputs("edge-1", { files: taken, branch: "next", delivery: { createBranch: "fromDefault" } }),
    );
    expect(files("next")).toEqual(ours("edge-1"));
    await update(there, inputs("edge-1", { drift: "restore" }));
    expect(files()).toEqual(ours("edge-1"));
  });

  it("with drift: restore is left in spite of a change, which stays there", async () => {
    const before = await create(inputs("old/flux"));
    shop.commit(url, { "old/flux/set-01.yaml": "a: 9\n" });
    await update(before, inputs("new/flux", { drift: "restore" }));
    expect(shop.contents(url, "new")["new/flux/set-01.yaml"]).toBe("a: 1\n");
    expect(shop.contents(url, "old")["old/flux/set-01.yaml"]).toBe("a: 9\n");
  });

  it("is not left by taking single files away, nor by taking away all in a subfolder of one that stays", async () => {
    const before = await create(inputs("edge-1"));
    shop.commit(url, { "edge-1/by-hand.yaml": "c: 1\n", "edge-1/sub/by-hand.yaml": "c: 2\n" });
    await update(before, inputs("edge-1", { files: { "set-01.yaml": "a: 1\n" } }));
    expect(files()).toEqual(["edge-1/by-hand.yaml", "edge-1/set-01.yaml", "edge-1/sub/by-hand.yaml"]);
    expect(warnings).toEqual([]);
  });

  it("may be the root of the repository, and the new one may lie below it", async () => {
    const state = await update(await create(inputs("")), inputs("below"));
    expect(files()).toEqual([...ours("below"), "set-01.yaml", "sub/set-02.yaml"]);
    expect(warnings[0]).toContain("those in the root of the repository on branch main stay");
    await finish(state, inputs("below"));
    expect(files()).toEqual(ours("below"));
  });

  it("does not count as shared for what the resource itself moves to below it", async () => {
    await update(await create(inputs("flux")), inputs("flux/now"));
    expect(files()).toEqual(ours("flux/now"));
    expect(warnings).toEqual([]);
  });

  it("may be one below the folder that it comes back to, also when a run on the way there was killed", async () => {
    const [outer, inner] = [inputs("edge-1"), inputs("edge-1/flux")];
    const byHand = { "edge-1/by-hand.yaml": "c: 1\n", "edge-1/flux/by-hand.yaml": "c: 2\n" };
    const first = await create(outer);
    shop.commit(url, byHand);
    const below = await update(first, inner);
    const all = [...Object.keys(byHand), ...ours("edge-1"), ...ours("edge-1/flux")].sort();
    expect(files().sort()).toEqual(all);

    // Its state is lost, as by kill -9 after the push.
    await update(below, outer);
    for (const machine of ["one", "two"]) {
      const next = pluginOn(shop, { machine, warnings });
      const state = (await next.update("id", urn, below, outer)).outs as never as Properties;
      expect(files().sort()).toEqual(all);
      expect(warnings.at(-1)).toContain("those in edge-1/flux on branch main stay for now");
      expect(state["leaving"]).toMatchObject([{ directory: "edge-1/flux" }]);
    }
  });

  it("is that of another branch: what waits there is left alone by a way back to another folder", async () => {
    const flux = (name: string, branch: string): Properties =>
      inputs("edge-1", { branch, files: { [`${name}/set.yaml`]: "a: 1\n" } });
    const first = await create(flux("flux", "main"));
    shop.commit(url, { "edge-1/flux/by-hand.yaml": "c: 1\n" });
    shop.git(url, "branch", "live", "main~2");
    const away = await update(first, flux("flux", "live"));
    const back = await update(away, flux("gitops", "main"));
    expect(files()).toEqual(["edge-1/flux/by-hand.yaml", "edge-1/flux/set.yaml", "edge-1/gitops/set.yaml"]);
    expect(back["leaving"]).toMatchObject([
      { branch: "main", blobs: { "flux/set.yaml": shop.blob("a: 1\n") } },
    ]);
    const after = await finish(back, flux("gitops", "main"));
    expect(files()).toEqual(["edge-1/flux/by-hand.yaml", "edge-1/gitops/set.yaml"]);
    expect(after).not.toHaveProperty("leaving");
  });

  it("is that of another branch: its files stay there beside those of others", async () => {
    const before = await create(inputs("edge-1"));
    shop.commit(url, { "edge-1/by-hand.yaml": "c: 1\n" });
    shop.git(url, "branch", "live", "main~2");
    const state = await update(before, inputs("edge-1", { branch: "live" }));
    expect(files("live")).toEqual(ours("edge-1"));
    expect(files()).toEqual(["edge-1/by-hand.yaml", ...ours("edge-1")]);
    expect(warnings[0]).toContain("those in edge-1 on branch main stay");
    await finish(state, inputs("edge-1", { branch: "live" }));
    expect(files()).toEqual(["edge-1/by-hand.yaml"]);
    expect(files("live")).toEqual(ours("edge-1"));
  });
});

it("another branch of another repository at once: the new place has the files, the old one has none of ours", async () => {
  const before = await create(inputs("edge-1"));
  const elsewhere = await shop.repository({ "README.md": "read me\n" }, { name: "mirror", branch: "live" });
  const wanted = inputs("edge-1", { repository: elsewhere, branch: "live" });
  const after = await update(before, wanted);
  expect(shop.git(elsewhere, "ls-tree", "-r", "--name-only", "live").split("\n")).toEqual([
    "README.md",
    ...ours("edge-1"),
  ]);
  expect(files()).toEqual([]);
  expect((await plugin.diff("id", urn, after, wanted)).changes).toBe(false);
  expect(warnings).toEqual([]);
});

it("a set that is dropped with the way back goes as any that is removed", async () => {
  const flux = (folder: string, ...sets: string[]): Properties =>
    inputs(folder, { files: Object.fromEntries(sets.map((set) => [`${set}.yaml`, `of: ${set}\n`])) });
  const first = await create(flux("a", "pos", "web"));
  shop.commit(url, { "a/by-hand.yaml": "c: 1\n" });
  const away = await update(first, flux("b", "pos", "web"));
  const back = await update(away, flux("a", "pos"));
  expect(files()).toEqual(["a/by-hand.yaml", "a/pos.yaml"]);
  expect(back).not.toHaveProperty("leaving");
});

describe("a move by pull request", () => {
  const side = "arcflux/edge/dev";
  const byRequest = (directory: string, more: Properties = {}): Properties =>
    inputs(directory, { delivery: { mode: "pullRequest" }, ...more });
  const merge = (): void => {
    // Otherwise git asks a person whether to take what others have in the old folder along.
    const asIs = ["-c", "merge.directoryRenames=false"];
    const tree = shop.git(url, ...asIs, "merge-tree", "--write-tree", "main", side);
    const person = ["-c", "user.name=Pat", "-c", "user.email=pat@example.com"];
    const commit = shop.git(url, ...person, "commit-tree", tree, "-p", "main", "-p", side, "-m", "Merge");
    shop.git(url, "update-ref", "refs/heads/main", commit);
  };
  let before: Properties;
  beforeEach(async () => {
    before = await create(byRequest("old"));
    merge();
    warnings.splice(0);
  });

  it("keeps ours where nobody else has a file yet: what comes there until the merge, nobody knows", async () => {
    const state = await update(before, byRequest("new"));
    expect(files(side)).toEqual([...ours("new"), ...ours("old")]);
    expect(warnings.join("\n")).toContain(
      "those in old on branch main stay for now: should others put files there",
    );
    merge();
    expect((await plugin.read("id", urn, state)).props).not.toHaveProperty("seen");
    const after = await finish(state, byRequest("new"));
    merge();
    expect(files()).toEqual(ours("new"));
    expect(after).not.toHaveProperty("leaving");
  });

  it("keeps ours beside files of others, on the branch and in the request, until that is said to be over", async () => {
    const theirs = "old/by-hand.yaml";
    shop.commit(url, { [theirs]: "c: 1\n" });
    const state = await update(before, byRequest("new"));
    expect(files().sort()).toEqual([...ours("old"), theirs].sort());
    // The side branch is older than what the person put on main.
    expect(files(side)).toEqual([...ours("new"), ...ours("old")]);
    expect(warnings.join("\n")).toContain("those in old on branch main stay for now");
    // Run again before it is merged, and once more when it is.
    expect(await isDone(state, byRequest("new"))).toBe(true);
    merge();
    expect(files().sort()).toEqual([...ours("new"), ...ours("old"), theirs].sort());
    const seen = (await plugin.read("id", urn, state)).props as never as Properties;
    expect(await isDone(seen, byRequest("new"))).toBe(true);

    const after = await finish(seen, byRequest("new"));
    expect(files().sort()).toEqual([...ours("new"), ...ours("old"), theirs].sort());
    expect(files(side)).toEqual(ours("new"));
    expect(after).not.toHaveProperty("leaving");
    merge();
    expect(files().sort()).toEqual([...ours("new"), theirs].sort());
    const last = (await plugin.read("id", urn, after)).props as never as Properties;
    expect(last).not.toHaveProperty("seen");
    expect(await isDone(last, byRequest("new"))).toBe(true);
  });

  it("may be finished before it is merged: the request then holds the whole move", async () => {
    const theirs = "old/by-hand.yaml";
    shop.commit(url, { [theirs]: "c: 1\n" });
    const after = await finish(await update(before, byRequest("new")), byRequest("new"));
    expect(files(side)).toEqual(ours("new"));
    expect(after).not.toHaveProperty("leaving");
    merge();
    expect(files().sort()).toEqual([...ours("new"), theirs].sort());
    expect((await plugin.read("id", urn, after)).props).not.toHaveProperty("seen");
  });
});

describe("files that wait where the resource was", () => {
  let state: Properties;
  beforeEach(async () => {
    const before = await create(inputs("old"));
    shop.commit(url, { "old/by-hand.yaml": "c: 1\n" });
    state = await update(before, inputs("new"));
  });

  it("go with the resource", async () => {
    await plugin.delete("id", urn, state);
    expect(files()).toEqual(["old/by-hand.yaml"]);
  });

  it("stay for good with onDelete: keep", async () => {
    const after = await finish(state, inputs("new", { onDelete: "keep" }));
    expect(after).not.toHaveProperty("leaving");
    expect(files()).toContain("old/set-01.yaml");
  });

  it("are the resource's own when it comes back, with what it wants now", async () => {
    const after = await update(state, inputs("old", { files: { "set-01.yaml": "a: 2\n" } }));
    expect(shop.contents(url, "old")).toEqual({
      "old/by-hand.yaml": "c: 1\n",
      "old/set-01.yaml": "a: 2\n",
      "old/sub/set-02.yaml": "b: 1\n",
    });
    expect(files()).toEqual(["old/by-hand.yaml", "old/set-01.yaml", "old/sub/set-02.yaml"]);
    // What is not wanted there any more, and nothing else.
    expect(after["leaving"]).toMatchObject([
      { directory: "old", blobs: { "sub/set-02.yaml": shop.blob("b: 1\n") } },
    ]);
    expect(await finish(after, inputs("old", { files: { "set-01.yaml": "a: 2\n" } }))).not.toHaveProperty(
      "leaving",
    );
    expect(files()).toEqual(["old/by-hand.yaml", "old/set-01.yaml"]);
  });

  it("stay known over a refresh, and over a move to a third place", async () => {
    const seen = await plugin.read("id", urn, state);
    expect(seen.props).toEqual(state);
    const third = await update(seen.props as never, inputs("third"));
    expect(files()).toEqual(["old/by-hand.yaml", ...ours("old"), ...ours("third")]);
    const after = await finish(third, inputs("third"));
    expect(files()).toEqual(["old/by-hand.yaml", ...ours("third")]);
    expect(after).not.toHaveProperty("leaving");
  });

  it("stay where onMove was finish before the move, until it was wait again", async () => {
    const done = (directory: string): Properties => inputs(directory, { onMove: "finish" });
    const there = await finish(state, inputs("new"));
    shop.commit(url, { "new/by-hand.yaml": "c: 1\n" });
    const third = await update(there, done("third"));
    expect(warnings.at(-1)).toMatch(/those in new .* stay for now.*onMove is finish since before this move/);
    // Run again and again, as in CI.
    expect(await isDone(third, done("third"))).toBe(true);
    const changed = await update(third, { ...done("third"), files: { "set-01.yaml": "a: 2\n" } });
    expect(files()).toContain("new/set-01.yaml");
    expect(await isDone(changed, { ...done("third"), files: { "set-01.yaml": "a: 2\n" } })).toBe(true);

    const waits = await update(changed, inputs("third"));
    expect(files()).toContain("new/set-01.yaml");
    expect(await isDone(waits, inputs("third"))).toBe(true);
    const after = await finish(waits, inputs("third"));
    expect(files()).toEqual(["new/by-hand.yaml", "old/by-hand.yaml", ...ours("third")]);
    expect(after).not.toHaveProperty("leaving");
  });

  it("of an earlier move go, and those of the very update stay, also below the folder of the others", async () => {
    const away = await update(
      await create(inputs("")),
      inputs("edge", { files: { "flux/set.yaml": "a: 1\n" } }),
    );
    expect(away["leaving"]).toMatchObject([{ directory: "" }]);
    shop.commit(url, { "edge/flux/by-hand.yaml": "c: 1\n" });
    shop.git(url, "branch", "live", "main");
    const wanted = inputs("edge", { branch: "live", onMove: "finish" });
    const after = await update(away, wanted);
    expect(files()).toContain("edge/flux/set.yaml");
    expect(files()).not.toContain("set-01.yaml");
    expect(after["leaving"]).toMatchObject([{ directory: "edge", held: true }]);
  });

  it("that someone changed meanwhile are left, and told", async () => {
    shop.commit(url, { "old/set-01.yaml": "a: 9\n" });
    await finish(state, inputs("new"));
    expect(files()).toEqual([...ours("new"), "old/by-hand.yaml", "old/set-01.yaml"]);
    expect(warnings.at(-1)).toContain("it is not as Arcflux left it: set-01.yaml");
  });
});

import { expect, it } from "vitest";
import { checkFolderOwners, type Writer } from "../../checks/folderOwners.ts";
import { repositoryReader } from "../../checks/repositoryReader.ts";
import { formatPath } from "../../fleet/finding.ts";
import type { Cluster } from "../../fleet/model.ts";
import type { Removal } from "../../fleet/removal.ts";
import { formatInventory, inventoryPath } from "../../git/commit/inventory.ts";
import { clusterOf, fleetOf } from "./fleet.ts";

const at = (name: string, folder: string, over: Partial<Cluster> = {}): Cluster =>
  clusterOf(name, [], { folder, fluxFolder: `${folder}/flux`, ...over });

/** A branch that holds nothing but the inventories of these folders. */
const branch = (owners: Readonly<Record<string, string>>) => {
  const files = new Map(
    Object.entries(owners).map(([folder, owner]) => [
      inventoryPath(folder),
      formatInventory({ owner, left: [], files: new Map() }),
    ]),
  );
  const list = (folders: readonly string[]) =>
    new Map(
      folders.flatMap((folder) => {
        const prefix = folder === "" ? "" : `${folder}/`;
        const below = [...files.keys()].filter((path) => path.startsWith(prefix));
        const names = new Set(below.map((path) => path.slice(prefix.length).split("/")[0] ?? ""));
        const entries = [...names].map((name) => ({
          name,
          kind: files.has(`${prefix}${name}`) ? "file" : "folder",
        }));
        return entries.length === 0 ? [] : [[folder, entries] as const];
      }),
    );
  return repositoryReader({
    list: (folders) => Promise.resolve(list(folders)),
    read: (paths) =>
      Promise.resolve(
        new Map(
          paths.flatMap((path) => {
            const text = files.get(path);
            return text === undefined ? [] : [[path, Buffer.from(text)] as const];
          }),
        ),
      ),
  });
};

const check = async (
  clusters: readonly Cluster[],
  owners: Readonly<Record<string, string>>,
  {
    removed = [],
    live,
    follows = (cluster) => cluster.fluxFolder,
    ...writer
  }: Writer & {
    removed?: Removal[];
    live?: Readonly<Record<string, string>>;
    follows?: (cluster: Cluster) => string | undefined;
  } = {},
) => {
  const committed = branch(owners);
  const followed = new Map([
    ["main", committed],
    ["live", branch(live ?? {})],
  ]);
  const fleet = { ...fleetOf(...clusters), removed };
  const { faults, released, waiting } = await checkFolderOwners(
    fleet,
    { committed, followed, tip: () => undefined },
    writer,
    (cluster) => Promise.resolve(follows(cluster)),
  );
  return {
    faults: faults.map(({ path, message }) => `${formatPath(path)}: ${message}`),
    released: Object.fromEntries(released),
    ...(waiting.size > 0 && { waiting: [...waiting] }),
  };
};

it("names every cluster whose folder belongs to another, and lets in who was called so, or takes over", async () => {
  const owners = {
    "stores/a/flux": "edge/north/edge-a",
    "stores/b/flux": "edge/north/edge-z",
    "stores/c/flux": "edge/south/edge-c",
  };
  const clusters = [
    at("edge-a", "stores/a"),
    at("edge-b", "stores/b"),
    at("edge-c", "stores/c"),
    at("new", "stores/n"),
  ];
  const { faults } = await check(clusters, owners, { stack: "edge/north" });
  expect(faults).toEqual([
    expect.stringMatching(
      /^clusters\.edge-b: cannot use stores\/b\/flux: it belongs to edge\/north\/edge-z\. .*`formerly:/,
    ),
    expect.stringMatching(
      /^clusters\.edge-c: cannot use stores\/c\/flux: it belongs to edge\/south\/edge-c\. .*arcflux:takeFrom/,
    ),
  ]);
  // Without a stack nobody knows which one writes.
  expect((await check(clusters, owners)).faults).toHaveLength(1);
  const renamed = [at("edge-b", "stores/b", { formerly: "edge-z" }), at("edge-c", "stores/c")];
  expect((await check(renamed, owners, { stack: "edge/north", takeFrom: "edge/south" })).faults).toEqual([]);
});

it("releases what a cluster has left, once the branch that it follows holds its new folder", async () => {
  const owners = { "stores/b/flux": "edge/north/edge-a", "stores/c/flux": "edge/north/edge-a" };
  const removed: Removal[] = [{ kind: "folder", name: "stores/b" }];
  const north = { stack: "edge/north", removed };
  expect(await check([at("edge-a", "stores/c")], owners, north)).toEqual({
    faults: [],
    released: { "edge-a": ["stores/b/flux"] },
  });
  // Git says so, and the cluster does not: it would lose all that the old folder applies.
  const late = { ...north, follows: () => "stores/b/flux" };
  expect(await check([at("edge-a", "stores/c")], owners, late)).toEqual({
    faults: [
      "removed[0]: stores/b/flux stays: edge-a follows stores/b/flux, not stores/c/flux yet. Run again once `arcflux status --cluster edge-a` calls it ready",
    ],
    released: {},
  });
  expect(
    (await check([at("edge-a", "stores/c")], owners, { ...north, follows: () => undefined })).faults,
  ).toEqual([
    expect.stringContaining("stays: neither Azure nor the cluster says which folder edge-a follows. Run"),
  ]);
  // It is still there, or its stage has not got the new folder yet; what is another stack's is no matter of this one.
  const still = await check([at("edge-a", "stores/b")], owners, north);
  expect(still.faults).toEqual([
    "removed[0]: edge-a has its files in stores/b/flux, so it cannot be removed; take the entry out",
  ]);
  const staged = at("edge-a", "stores/c", { follows: "live" });
  expect(
    (await check([staged], owners, { ...north, live: { "stores/b/flux": "edge/north/edge-a" } })).faults,
  ).toEqual([
    expect.stringMatching(
      /^removed\[0\]: stores\/b\/flux stays: edge-a follows branch live, where stores\/c\/flux is not yet\. Merge it into live, wait/,
    ),
  ]);
  expect(await check([at("edge-x", "stores/x")], owners, north)).toEqual({ faults: [], released: {} });
});

it("says which clusters wait for a merge: those whose followed branch lacks their folder", async () => {
  const owners = { "stores/a/flux": "edge/north/edge-a", "stores/b/flux": "edge/north/edge-b" };
  const clusters = [
    at("edge-a", "stores/a"),
    at("edge-b", "stores/b", { follows: "live" }),
    at("edge-c", "stores/c", { follows: "live" }),
  ];
  const live = { "stores/c/flux": "edge/north/edge-c" };
  expect(await check(clusters, owners, { stack: "edge/north", live })).toMatchObject({ waiting: ["edge-b"] });
});

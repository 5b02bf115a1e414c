import { afterEach, beforeEach, expect, it } from "vitest";
import { checkRepository } from "../../checks/checkRepository.ts";
import { openRepository } from "../../checks/openRepository.ts";
import { formatPath } from "../../fleet/finding.ts";
import type { Cluster } from "../../fleet/model.ts";
import { formatInventory, inventoryName } from "../../git/index.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";

// From the repository alone, a cluster that comes to a folder looks like one that has another name now.

const set = (name: string) => setOf(name, {}, { sourceRef: { kind: "OCIRepository", name: "charts" } });
const a = clusterOf("edge-a", [set("pos")]);
const c = clusterOf("edge-c", [set("web")]);
const into = (cluster: Cluster, folder: string): Cluster => ({
  ...cluster,
  ...{ folder, fluxFolder: `${folder}/flux`, setsFolder: `${folder}/sets` },
});

let workshop: GitWorkshop;
let location: string;
beforeEach(async () => {
  workshop = new GitWorkshop();
  location = await workshop.repository({ "README.md": "The fleet\n" });
});
afterEach(() => workshop.remove());

/** What an update committed; `owner` is the cluster that its inventory names. */
const commit = (cluster: Cluster, owner: string | undefined): void => {
  const files = Object.entries(renderClusterFolder(cluster)).map(
    ([path, text]) => [`${cluster.folder}/${path}`, text] as const,
  );
  const inventory = formatInventory({ owner: `edge/dev/${owner}`, left: [], files: new Map() });
  const listed = owner === undefined ? {} : { [`${cluster.fluxFolder}/${inventoryName}`]: inventory };
  workshop.commit(location, { ...Object.fromEntries(files), ...listed }, { message: "Update" });
};
const check = async (...clusters: readonly Cluster[]): Promise<string[]> => {
  const context = { env: workshop.env, tempRoot: workshop.tempRoot };
  const { faults } = await openRepository({ location, branch: "main" }, context, (trees) =>
    checkRepository(fleetOf(...clusters), trees),
  );
  return faults.map(({ severity, path, message }) => `${severity}: ${formatPath(path)}: ${message}`);
};

const owned = [
  expect.stringMatching(
    /^error: clusters\.edge-c: cannot use clusters\/edge-a\/flux: it belongs to edge\/dev\/edge-a\./,
  ),
  expect.stringMatching(/^error: clusters\.edge-c: set pos goes away with prune: true/),
] as string[];

it.each([
  ["comes to where another leaves", [into(a, "stores/a"), into(c, a.folder)]],
  ["comes in place of one that is gone", [into(c, a.folder)]],
  [
    "has another name now, and the old name is one of another again",
    [into(c, a.folder), into({ ...a, name: "edge-a" }, "stores/new")],
  ],
])(
  "a folder of another cluster is refused where one %s, and the words name its owner first",
  async (_, fleet) => {
    commit(a, "edge-a");
    commit(c, "edge-c");
    expect(await check(...fleet)).toEqual(owned);
  },
);

it("a folder without an inventory is nobody's", async () => {
  commit(a, undefined);
  expect(await check({ ...a, sets: [set("web")] }, c)).toEqual([
    expect.stringMatching(/^error: clusters\.edge-a: set pos goes away/),
  ]);
});

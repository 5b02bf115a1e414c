import { afterEach, beforeEach, expect, it } from "vitest";
import { checkRepository } from "../../checks/checkRepository.ts";
import { openRepository } from "../../checks/openRepository.ts";
import { formatPath } from "../../fleet/finding.ts";
import type { Cluster } from "../../fleet/model.ts";
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

/** What an update committed, with the trailers of these clusters. */
const commit = (cluster: Cluster, ...names: readonly string[]): void => {
  const files = Object.entries(renderClusterFolder(cluster)).map(
    ([path, text]) => [`${cluster.folder}/${path}`, text] as const,
  );
  const trailers = names.map((name) => `Arcflux-Cluster: ${name}\n`).join("");
  const message = `Update ${cluster.folder}\n\nArcflux-Stack: dev\n${trailers}`;
  workshop.commit(location, Object.fromEntries(files), { message });
};
const check = async (...clusters: readonly Cluster[]): Promise<string[]> => {
  const context = { env: workshop.env, tempRoot: workshop.tempRoot };
  const { faults } = await openRepository({ location, branch: "main" }, context, (trees) =>
    checkRepository(fleetOf(...clusters), trees),
  );
  return faults.map(({ severity, path, message }) => `${severity}: ${formatPath(path)}: ${message}`);
};

it.each([
  ["comes to where another leaves", [into(a, "stores/a"), into(c, a.folder)]],
  ["comes in place of one that is gone", [into(c, a.folder)]],
])("a set of another cluster is refused where one %s, and the words name it", async (_, fleet) => {
  commit(a, "edge-a");
  commit(c, "edge-c");
  expect(await check(...fleet)).toEqual([
    "error: clusters.edge-c: set pos (written for cluster edge-a) goes away with prune: true, so Flux deletes everything that " +
      "it applied on the cluster. If this cluster only comes to the folder, leave it where it is until edge-a is out of the " +
      "fleet, or has moved and `removed` names the folder; and move it then. To keep that, first commit " +
      "`deletionPolicy: Orphan` for the set (or `prune: false`, or suspend it), let the cluster take that, and remove the set " +
      "then; if that is meant, add it to the list in the fleet file: `removed: [edge-c/pos]`",
  ]);
});

it("a set of one that has another name now is refused, also where the old name is one of another again", async () => {
  commit(a, "edge-a");
  const fresh = into({ ...a, name: "edge-a" }, "stores/new");
  for (const fleet of [[into(c, a.folder)], [into(c, a.folder), fresh]]) {
    expect(await check(...fleet)).toEqual([
      expect.stringMatching(/^error: clusters\.edge-c: set pos \(written for cluster edge-a\) goes away/),
    ]);
  }
});

it("a commit that names several clusters, as a host makes of a pull request, tells of none", async () => {
  commit(a, "edge-a", "edge-c");
  expect(await check({ ...a, sets: [set("web")] }, c)).toEqual([
    expect.stringMatching(/^error: clusters\.edge-a: set pos goes away/),
  ]);
});

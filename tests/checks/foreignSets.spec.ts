import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkRepository } from "../../checks/checkRepository.ts";
import { openRepository } from "../../checks/openRepository.ts";
import { formatPath } from "../../fleet/finding.ts";
import type { Cluster } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";

const set = (name: string) => setOf(name, {}, { sourceRef: { kind: "OCIRepository", name: "charts" } });
const a = clusterOf("edge-a", [set("db"), set("pos")]);
const c = clusterOf("edge-c", [set("web")]);
/** Moved to a folder. */
const into = (cluster: Cluster, folder: string): Cluster => ({
  ...cluster,
  ...{ folder, fluxFolder: `${folder}/flux`, setsFolder: `${folder}/sets` },
});

describe("generated sets in the folder that a cluster moves to", () => {
  let workshop: GitWorkshop;
  let location: string;
  beforeEach(async () => {
    workshop = new GitWorkshop();
    location = await workshop.repository({ "README.md": "The fleet\n" });
  });
  afterEach(() => workshop.remove());

  /** What an update committed, as its trailer tells. */
  const commit = (cluster: Cluster, written = cluster.name): void => {
    const files = Object.entries(renderClusterFolder(cluster)).map(
      ([path, text]) => [`${cluster.folder}/${path}`, text] as const,
    );
    const message = `Update ${cluster.folder}\n\nArcflux-Stack: dev\nArcflux-Cluster: ${written}\n`;
    workshop.commit(location, Object.fromEntries(files), { message });
  };
  const check = async (...clusters: readonly Cluster[]): Promise<string[]> => {
    const context = { env: workshop.env, tempRoot: workshop.tempRoot };
    const faults = await openRepository({ location, branch: "main" }, context, (tree) =>
      checkRepository(fleetOf(...clusters), tree),
    );
    return faults.map(({ severity, path, message }) => `${severity}: ${formatPath(path)}: ${message}`);
  };
  const goesAway = [
    expect.stringMatching(/^error: clusters\.edge-c: set db goes away/),
    expect.stringMatching(/^error: clusters\.edge-c: set pos goes away/),
  ];

  it("are a warning where they were written for a cluster that moves away or has: none of them goes", async () => {
    commit(a);
    commit(c);
    const moved = into(a, "stores/a");
    // Both in one update, and with the files of the other waiting since an earlier one.
    for (const there of [false, true]) {
      if (there) commit(moved);
      expect(await check(moved, into(c, a.folder))).toEqual([
        "warning: clusters.edge-c: sets db and pos in clusters/edge-a/flux were generated for edge-a, and no update of edge-c " +
          "takes that out, so Flux would apply it on edge-c too, once that follows this folder. Let edge-a leave first: " +
          "when it follows its own folder, run pulumi up with stack config arcflux:onMove finish, and move edge-c then; or " +
          "delete the files by hand, where nothing follows them any more",
      ]);
    }
  });

  it("are none of a cluster that was there before: what it took over goes with it", async () => {
    commit(a);
    commit(into(c, a.folder));
    commit(into(a, "stores/a"));
    expect(await check(into(a, "stores/a"), into(c, a.folder))).toEqual(goesAway);
  });

  it("go away where the cluster has another name now, is not of this fleet, or nothing tells", async () => {
    commit(a);
    expect(await check(into(c, a.folder))).toEqual(goesAway);
    workshop.git(location, "update-ref", "-d", "refs/heads/main");
    commit(a, "");
    expect(await check(into(a, "stores/a"), into(c, a.folder))).toEqual(goesAway);
  });
});

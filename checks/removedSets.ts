import type { Fleet } from "../fleet/model.ts";
import { showNames } from "../wording/show.ts";
import type { Fault } from "./fault.ts";
import { type GoingSet, goingSets } from "./goingSets.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** What is said of one or two sets of a cluster: who, and what becomes of them. */
interface Remark {
  readonly sets: string;
  readonly text: string;
}

/**
 * Warns of sets that an update takes out of the repository while what they applied goes with them, or stays without
 * being asked to; of those that seem renamed; and of those that go together with a set that needs them. What is the same
 * in many clusters is said once, at the first. `ours` are the files that an update would write.
 */
export async function checkRemovedSets(
  fleet: Fleet,
  reader: RepositoryReader,
  ours: ReadonlySet<string>,
): Promise<Fault[]> {
  // A bootstrap that does not prune leaves each Kustomization, and with it what that applied.
  const pruning = fleet.clusters.filter(({ bootstrap }) => bootstrap.prune);
  const remarks = await Promise.all(
    pruning.map(async (cluster) => {
      const going = await goingSets(cluster, ours, reader);
      return [...going.flatMap(remarkOf), ...together(going)].map((remark) => ({
        ...remark,
        cluster: cluster.name,
      }));
    }),
  );
  const alike = Map.groupBy(remarks.flat(), ({ sets, text }) => `${sets} ${text}`);
  return [...alike.values()].flatMap(([first, ...others]): Fault[] => {
    if (first === undefined) return [];
    const names = others.map(({ cluster }) => cluster);
    const more =
      names.length === 0
        ? ""
        : ` (also in ${names.length} more cluster${names.length === 1 ? "" : "s"}: ${showNames(names, 5)})`;
    const message = `${first.sets}${more} ${first.text}`;
    return [{ severity: "warning", path: ["clusters", first.cluster], message }];
  });
}

function remarkOf(set: GoingSet): Remark[] {
  switch (set.end) {
    case "leaves":
      return [];
    case "deletes":
      return [{ sets: `set ${set.name}`, text: deleted(set) }];
    case "suspended":
      return [{ sets: `set ${set.name}`, text: left(set) }];
  }
}

function deleted({ because, renamedTo }: GoingSet): string {
  if (renamedTo !== undefined) {
    return (
      `looks renamed to ${renamedTo}, which applies the same. Flux knows a set by its name alone: with ${because} it ` +
      `deletes all that the old one applied and ${renamedTo} has not taken over by then. To rename without deletion, keep the old name, ` +
      "commit `deletionPolicy: Orphan` for it, let the cluster take that, and rename it then"
    );
  }
  const ways = because === "prune: true" ? "`prune: false`, or suspend it" : "suspend it";
  return (
    `goes away with ${because}, so Flux deletes everything that it applied on the cluster. To keep that, first commit ` +
    `\`deletionPolicy: Orphan\` for the set (or ${ways}), let the cluster take that, and remove the set then; ` +
    "if it is to be deleted, nothing needs to change"
  );
}

function left({ because, window, renamedTo }: GoingSet): string {
  const suspended = `suspended for window ${window}, so Flux leaves everything that it applied, in spite of ${because}`;
  if (renamedTo !== undefined) {
    return (
      `looks renamed to ${renamedTo}, which applies the same and takes over what is there: the old one is ${suspended}. ` +
      "Update while the window is closed; while it is open, the old Kustomization stays, and both apply it"
    );
  }
  return (
    `goes away while it is ${suspended}. To have it deleted, remove the set unsuspended, at the time of its window: first ` +
    "take `window` off it, while the window is closed, since an open one keeps changes from Git away; when the cluster runs " +
    "it unsuspended, remove it. To keep what it applied, commit `deletionPolicy: Orphan` for it first"
  );
}

/** Sets that go away together although one needs the other until it is gone. */
function together(going: readonly GoingSet[]): Remark[] {
  const deleting = going.filter(({ end }) => end === "deletes");
  return deleting.flatMap(({ name, dependsOn }) =>
    deleting
      .filter((needed) => dependsOn.includes(needed.name))
      .map((needed) => ({
        sets: `sets ${needed.name} and ${name}`,
        text:
          `go away together, and ${name} depends on ${needed.name}. Flux deletes both at once, in no order, so what ${name} ` +
          `applied may wait for ever for finalizers that ${needed.name} ran. Remove ${name} first, and ${needed.name} in a ` +
          "later update, when the cluster has deleted the first",
      })),
  );
}

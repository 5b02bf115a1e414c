import type { Fleet } from "../fleet/model.ts";
import { removalsOf } from "../fleet/removal.ts";
import { printable, showNames } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { type GoingSet, goingSets } from "./goingSets.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** What is said of one or two sets of a cluster. */
interface Remark {
  readonly sets: readonly string[];
  /** What becomes of them. */
  readonly text: string;
  /** How to avoid that; absent where nothing is deleted, so that nobody has to decide on it. */
  readonly ways?: string;
}

/** What was found of the sets that an update takes out of the repository. */
export interface RemovedSets {
  /** What is to be decided, or to be known. */
  readonly faults: readonly Fault[];
  /** What is decided: the deletions that `removed` names, as warnings. */
  readonly decided: readonly Fault[];
  /** Indexes of the entries of `removed` that are about one of them. */
  readonly used: ReadonlySet<number>;
}

/**
 * Finds the sets that an update takes out of the repository while what they applied goes with them, or stays without
 * being asked to; those that seem renamed; and those that go together with a set that needs them. A deletion that the
 * fleet file does not name under `removed` is an error. What is the same in many clusters is said once, at the first.
 * `ours` are the files that an update would write.
 */
export async function checkRemovedSets(
  fleet: Fleet,
  reader: RepositoryReader,
  ours: ReadonlySet<string>,
): Promise<RemovedSets> {
  const used = new Set<number>();
  // A bootstrap that does not prune leaves each Kustomization, and with it what that applied.
  const pruning = fleet.clusters.filter(({ bootstrap }) => bootstrap.prune);
  const remarks = await Promise.all(
    pruning.map(async (cluster) => {
      const going = await goingSets(cluster, ours, reader);
      const decided = new Set(
        going.flatMap(({ name }) => {
          const entries = removalsOf(fleet.removed, { kind: "set", name }, cluster.name);
          for (const entry of entries) used.add(entry);
          return entries.length > 0 ? name : [];
        }),
      );
      return [...going.flatMap(remarkOf), ...together(going)].map((remark) => ({
        ...remark,
        cluster: cluster.name,
        isDecided: remark.sets.every((set) => decided.has(set)),
      }));
    }),
  );
  const alike = Map.groupBy(remarks.flat(), ({ sets, text, isDecided }) =>
    [isDecided, ...sets, text].join(" "),
  );
  const [faults, decided]: [Fault[], Fault[]] = [[], []];
  for (const [first, ...others] of alike.values()) {
    if (first === undefined) continue;
    const { sets, text, ways, isDecided, cluster } = first;
    const names = others.map((other) => other.cluster);
    const more =
      names.length === 0
        ? ""
        : ` (also in ${names.length} more cluster${names.length === 1 ? "" : "s"}: ${showNames(names, 5)})`;
    const said = `${sets.length === 1 ? "set" : "sets"} ${sets.join(" and ")}${more} ${text}`;
    const path = ["clusters", cluster];
    if (ways === undefined) {
      faults.push({ severity: "warning", path, message: said });
    } else if (isDecided) {
      decided.push({ severity: "warning", path, message: `${said}; \`removed\` says so` });
    } else {
      const entries = sets.map((set) => (names.length === 0 ? `${cluster}/${set}` : set)).join(", ");
      const decide = `if that is meant, add it to the list in the fleet file: \`removed: [${entries}]\``;
      faults.push({ severity: "error", path, message: `${said}. ${ways}; ${decide}` });
    }
  }
  return { faults, decided, used };
}

function remarkOf(set: GoingSet): Remark[] {
  switch (set.end) {
    case "leaves":
      return [];
    case "deletes":
      return [{ sets: [set.name], ...deleted(set) }];
    case "suspended":
      return [{ sets: [set.name], text: left(set) }];
  }
}

function deleted({ because, renamedTo, generatedFor }: GoingSet): Pick<Remark, "text" | "ways"> {
  const other = generatedFor === undefined ? undefined : printable(generatedFor);
  const of = other === undefined ? "" : `(written for cluster ${other}) `;
  const comes =
    other === undefined
      ? ""
      : `If this cluster only comes to the folder, leave it where it is until the files of ${other} have gone from there, ` +
        `with the update that takes ${other} out of the fleet or, when it has moved and its cluster has followed, with ` +
        `stack config arcflux:onMove finish; and move it then. `;
  if (renamedTo !== undefined) {
    return {
      text:
        `${of}looks renamed to ${renamedTo}, which applies the same. Flux knows a set by its name alone: with ${because} it ` +
        `deletes all that the old one applied and ${renamedTo} has not taken over by then`,
      ways:
        `${comes}To rename without deletion, keep the old name, commit \`deletionPolicy: Orphan\` for it, let the cluster ` +
        "take that, and rename it then",
    };
  }
  const ways = because === "prune: true" ? "`prune: false`, or suspend it" : "suspend it";
  return {
    text: `${of}goes away with ${because}, so Flux deletes everything that it applied on the cluster`,
    ways:
      `${comes}To keep that, first commit \`deletionPolicy: Orphan\` for the set (or ${ways}), let the cluster take that, and ` +
      "remove the set then",
  };
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
        sets: [needed.name, name],
        text:
          `go away together, and ${name} depends on ${needed.name}. Flux deletes both at once, in no order, so what ${name} ` +
          `applied may wait for ever for finalizers that ${needed.name} ran`,
        ways: `Remove ${name} first, and ${needed.name} in a later update, when the cluster has deleted the first`,
      })),
  );
}

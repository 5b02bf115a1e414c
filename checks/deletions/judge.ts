import type { Cluster, Fleet } from "../../fleet/model.ts";
import { type Removal, removalsOf, writeRemoval } from "../../fleet/removal.ts";
import type { Leaving } from "../../judge/index.ts";
import { showNames } from "../../values/show.ts";
import type { Fault } from "../fault.ts";
import type { RepositoryReaders } from "../repositoryReader.ts";
import { changedSets } from "./changedSets.ts";
import { deletedApps, isOfApps } from "./deletedApps.ts";
import type { Remark } from "./deletion.ts";
import { droppedClusters, type Whose } from "./droppedClusters.ts";
import { goingSecrets } from "./goingSecrets.ts";
import { type GoingSet, goingSets } from "./goingSets.ts";
import { type Applied, type KeptSet, keptSets, nobodyAsked } from "./keptSets.ts";
import { remarksOn } from "./removedSets.ts";
import { windowMoves } from "./windowMoves.ts";
import { tenantNamespaces } from "./tenantNamespaces.ts";
import { staleRemovals } from "./staleRemovals.ts";

/** How deletions are judged. */
export interface JudgeOptions {
  /** What goes with sets, and who needs it. Defaults to nobody knowing. */
  readonly leaving?: (cluster: Cluster, going: readonly GoingSet[]) => Promise<ReadonlyMap<string, Leaving>>;
  /** Whether a cluster has applied a commit. Defaults to nobody being asked. */
  readonly applied?: Applied;
  /**
   * Whether the fleet is all of the fleet file and no part of it, so that an entry of `removed` that removes nothing is
   * worth a warning. Defaults to false.
   */
  readonly whole?: boolean;
  /** Whose clusters are looked for beside those of the fleet. Defaults to those that the fleet has, of any stack. */
  readonly whose?: Whose;
}

/** What an update may delete, and what stops it. */
export interface Verdict {
  /** What is to be decided, or to be known. */
  readonly faults: readonly Fault[];
  /** What is decided or put off, as warnings: the deletions that `removed` names, and sets that stay for now. */
  readonly decided: readonly Fault[];
  /** Of these the deletions, in words. */
  readonly confirmed: readonly string[];
  /** Files that stay although the fleet file has them no more: by cluster, from the root of the repository to content. */
  readonly kept: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/**
 * The one verdict on deletions, for preview, update and `validate --repo`: what the clusters lose of what the branches
 * they follow have, where the fleet file confirms it, and what has to stay. What is the same in many clusters is said once,
 * at the first. `rendered` are the files that an update would write, by cluster, from the root.
 */
export async function judgeDeletions(
  fleet: Fleet,
  { committed, followed, tip }: RepositoryReaders,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  {
    applied = nobodyAsked,
    whole = false,
    leaving = nothingKnown,
    whose = { declared: fleet.clusters, owner: undefined },
  }: JudgeOptions = {},
): Promise<Verdict> {
  const ours = new Set([...rendered.values()].flatMap((files) => [...files.keys()]));
  const remarks: Remark[] = [];
  const kept: KeptSet[] = [];
  await Promise.all(
    fleet.clusters.map(async (cluster) => {
      const reader = followed.get(cluster.follows);
      // A bootstrap that does not prune leaves each Kustomization, and with it what that applied.
      if (reader === undefined) return;
      const files = rendered.get(cluster) ?? new Map<string, string>();
      const coming = committed ?? reader;
      const asked = { applied, tip: tip(cluster.follows) };
      const [all, changed, moves, namespaces, secrets] = await Promise.all([
        cluster.bootstrap.prune ? goingSets(cluster, ours, reader, coming) : [],
        changedSets(cluster, files, reader, coming, fleet.repository.url),
        cluster.bootstrap.prune ? windowMoves(cluster, ours, reader, asked) : [],
        cluster.bootstrap.prune ? tenantNamespaces(cluster, ours, reader) : [],
        goingSecrets(cluster, files, reader),
      ]);
      const apps = await deletedApps(cluster, files, reader, fleet.layout, all);
      // With its last apps goes the set that they brought: they are what has to be confirmed.
      const going = apps.length > 0 ? all.filter((set) => !isOfApps(set)) : all;
      const deleting = going.filter(({ end }) => end === "deletes");
      const goes = await leaving(cluster, deleting);
      remarks.push(
        ...remarksOn(going, cluster.name, goes),
        ...changed,
        ...apps,
        ...moves,
        ...namespaces,
        ...secrets,
      );
      kept.push(...(await keptSets(cluster, going, reader, ours, asked)));
    }),
  );
  const dropped = await Promise.all(
    [...followed.values()].map((reader) => droppedClusters(fleet, reader, whose)),
  );
  // One that is on several branches is said once.
  const gone = new Map(dropped.flat().map((remark) => [remark.cluster, remark]));
  remarks.push(...gone.values());
  const used = new Set<number>();
  const inOrder = fleet.clusters.map(({ name }) => name);
  const said = decide(fleet.removed, sorted(remarks, inOrder), used);
  const put = putOff(fleet.removed, kept, used);
  const stale = whole ? await staleRemovals(fleet, followed, used) : [];
  return {
    faults: [...said.faults, ...put.faults, ...stale],
    decided: [...said.decided, ...put.decided],
    confirmed: said.decided.map(({ message }) => message),
    kept: put.kept,
  };
}

const nothingKnown = () => Promise.resolve(new Map<string, Leaving>());

/** In the order of the fleet file, however the answers came. */
function sorted(remarks: readonly Remark[], clusters: readonly string[]): Remark[] {
  const place = new Map(clusters.map((name, index) => [name, index]));
  return remarks.toSorted((a, b) => (place.get(a.cluster) ?? 0) - (place.get(b.cluster) ?? 0));
}

function decide(
  removed: readonly Removal[],
  remarks: readonly Remark[],
  used: Set<number>,
): Pick<Verdict, "faults" | "decided"> {
  const [faults, decided]: [Fault[], Fault[]] = [[], []];
  const judged = remarks.map((remark) => {
    const entries = remark.going.map((one) => removalsOf(removed, one, remark.cluster));
    for (const entry of entries.flat()) used.add(entry);
    return { ...remark, isDecided: remark.firm !== true && entries.every((some) => some.length > 0) };
  });
  const alike = Map.groupBy(judged, ({ going, text, isDecided }) => JSON.stringify([isDecided, going, text]));
  for (const [first, ...others] of alike.values()) {
    if (first === undefined) continue;
    const { going, text, ways, firm, isDecided, cluster } = first;
    const said = `${named(going)}${alsoIn(others.map((other) => other.cluster))} ${text}`;
    const path = ["clusters", cluster];
    if (ways === undefined) {
      faults.push({ severity: "warning", path, message: said });
    } else if (firm === true) {
      faults.push({ severity: "error", path, message: `${said}. ${ways}` });
    } else if (isDecided) {
      decided.push({ severity: "warning", path, message: `${said}; \`removed\` says so` });
    } else {
      // A cluster that is gone is in no other.
      const decision = entriesFor(going, others.length === 0 ? cluster : undefined);
      faults.push({
        severity: "error",
        path,
        message: `${said}. ${ways}; if that is meant, add it to the list in the fleet file: ${decision}`,
      });
    }
  }
  return { faults, decided };
}

/** Sets that stay where their clusters may not know yet that what they applied is left, unless the removal is decided. */
function putOff(
  removed: readonly Removal[],
  kept: readonly KeptSet[],
  used: Set<number>,
): Omit<Verdict, "confirmed"> {
  const [faults, decided]: [Fault[], Fault[]] = [[], []];
  const files = new Map<string, Readonly<Record<string, string>>>();
  const open = kept.filter(({ cluster, set: { name } }) => {
    const entries = removalsOf(removed, { kind: "set", name }, cluster.name);
    for (const entry of entries) used.add(entry);
    return entries.length === 0;
  });
  const alike = Map.groupBy(open, ({ cluster, set, answer }) =>
    JSON.stringify([set.name, set.because, answer, cluster.fluxFolder === cluster.folder]),
  );
  for (const [first, ...others] of alike.values()) {
    if (first === undefined) continue;
    const { cluster, set, answer } = first;
    const names = others.map((other) => other.cluster.name);
    const what = `set ${set.name}${alsoIn(names)}`;
    const not = answer === "no" ? "has not applied" : "is not known to have applied";
    const why = `the cluster ${not} the commit with \`${set.because}\`, and without it Flux deletes what the set applied`;
    const decision = entriesFor(
      [{ kind: "set", name: set.name }],
      others.length === 0 ? cluster.name : undefined,
    );
    const way = `To let it go at once, add it to the list in the fleet file: ${decision}`;
    const path = ["clusters", cluster.name];
    if (cluster.fluxFolder === cluster.folder) {
      // There our own kustomization.yaml lists what is applied, so a file alone keeps nothing.
      faults.push({
        severity: "error",
        path,
        message: `${what} goes away too early: ${why}. Put it back until then. ${way}`,
      });
      continue;
    }
    for (const one of [first, ...others])
      files.set(one.cluster.name, { ...files.get(one.cluster.name), ...one.files });
    decided.push({
      severity: "warning",
      path,
      message: `${what} stays in Git until an update after that: ${why}. ${way}`,
    });
  }
  return { faults, decided, kept: files };
}

function named(going: Remark["going"]): string {
  const [first] = going;
  const kinds = going.length === 1 ? first?.kind : `${first?.kind}s`;
  return `${kinds} ${going.map(({ name }) => name).join(" and ")}`;
}

function alsoIn(clusters: readonly string[]): string {
  if (clusters.length === 0) return "";
  return ` (also in ${clusters.length} more cluster${clusters.length === 1 ? "" : "s"}: ${showNames(clusters, 5)})`;
}

/** What to write into the fleet file, for one cluster or for all. */
function entriesFor(going: Remark["going"], cluster: string | undefined): string {
  const entries = going.map((one) =>
    writeRemoval({ ...one, ...(cluster !== undefined && one.kind !== "cluster" && { cluster }) } as Removal),
  );
  return `\`removed: [${entries.join(", ")}]\``;
}

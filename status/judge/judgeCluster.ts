import { windowObject } from "../../fleet/window/index.ts";
import { secretsName } from "../../fleet/resolveSecrets.ts";
import { hasSecretsFolder } from "../../flux/secrets/folder.ts";
import { tenantObject } from "../../fleet/resolveTenants.ts";
import { type Cluster, type ClusterSet, fluxNamespace } from "../../fleet/model.ts";
import { type Evidence, isEvidence, type Told } from "../evidence.ts";
import { folderOf, type FluxObject, readyOf } from "../fluxObject.ts";
import type { ClusterState, Note, OtherState, PartState, SetState, Wanted } from "../model.ts";
import { type Word, worst } from "../words.ts";
import { afterTheEnd } from "./endedToken.ts";
import { handEdits } from "./handEdits.ts";
import { healthOf } from "./healthOf.ts";
import { idleNotes } from "./idleNotes.ts";
import { type JudgeContext, judgeSet, notCommitted } from "./judgeSet.ts";
import { removedWindows, windowNotes } from "./windowNotes.ts";
import { suspensionNote, suspensionOf, whileSuspended } from "./whileSuspended.ts";
import { windowsOf } from "./windowsOf.ts";

export interface ClusterContext extends JudgeContext {
  /** URL that clusters fetch the repository from. */
  readonly url: string;
  /** Day on which the Git token ends, YYYY-MM-DD. */
  readonly tokenEnds?: string | undefined;
}

/** Says how a cluster fares: from what is wanted and what was told, with no look at anything else. */
export function judgeCluster(
  cluster: Cluster,
  wanted: Wanted,
  told: Told,
  context: ClusterContext,
): ClusterState {
  const { name, stage, idle } = cluster;
  const base = { cluster: name, ...(stage !== undefined && { stage }), ...(idle && { idle }), wanted };
  const nothing = {
    ...{ ...base, runs: {}, sets: cluster.sets.map(unknownSet), others: [], notes: [] },
    windows: windowsOf(cluster, [], context.now),
  };
  if (!isEvidence(told)) return { ...nothing, word: "not asked", reason: told.notAsked, source: "git" };
  const { objects, source, asOf, offline, fault, flux } = told;
  if (offline !== undefined && objects.length === 0) {
    return { ...nothing, word: "offline", ...offline, source, ...(asOf !== undefined && { asOf }) };
  }
  const stopped = suspensionOf(cluster, objects);
  const sets = cluster.sets.map((set) =>
    whileSuspended(judgeSet(set, cluster, wanted, objects, context), stopped),
  );
  const others = otherParts(cluster, objects)
    .map((part) => untilItsFolder(part, cluster, wanted, context))
    .map((part) => afterTheEnd(part, context.tokenEnds, context.now))
    .map((part) => whileSuspended(part, stopped));
  const windows = windowsOf(cluster, objects, context.now);
  const edits = handEdits(cluster, wanted, objects, context.url);
  const known = {
    ...base,
    runs: runsOf(cluster, sets, told),
    sets,
    others,
    notes: [
      ...edits,
      ...fluxNote(cluster, told),
      ...removedWindows(cluster, objects),
      ...windowNotes(windows),
      ...suspensionNote(cluster, objects),
      ...idleNotes(cluster, objects),
    ],
    windows,
    source,
    ...(asOf !== undefined && { asOf }),
    ...(flux !== undefined && { flux }),
  };
  if (offline !== undefined) return { ...known, word: "offline", ...offline };
  if (fault !== undefined) return { ...known, word: "failing", reason: fault };
  return { ...known, ...overall(cluster, [...others, ...sets], edits) };
}

function unknownSet({ name, window }: ClusterSet): SetState {
  return {
    ...{ name, word: "not asked", healthy: false, followsTip: false },
    ...(window !== undefined && { window }),
  };
}

/** The word of a cluster: the worst of its parts; one without any part that waits for its folder. */
function overall(
  { follows }: Cluster,
  parts: readonly PartState[],
  edits: readonly Note[],
): { readonly word: Word; readonly reason?: string; readonly since?: string } {
  const word = worst([...parts.map((part) => part.word), ...(edits.length > 0 ? ["behind" as const] : [])]);
  const those = parts.filter((part) => part.word === word);
  const sinces = those.flatMap(({ since }) => since ?? []).sort();
  const since = word === "ready" ? sinces.at(-1) : sinces[0];
  const first = those[0];
  const reason =
    word === "ready"
      ? undefined
      : first !== undefined
        ? `${first.name}: ${first.reason ?? word}`
        : (edits[0]?.text ?? `nothing is known of ${follows}`);
  return { word, ...(reason !== undefined && { reason }), ...(since !== undefined && { since }) };
}

/** The bootstrap, the sources and windows that the cluster needs, and HelmReleases that are not ready. */
function otherParts(cluster: Cluster, objects: readonly FluxObject[]): OtherState[] {
  const { config, sources, tenants } = cluster;
  const needed: readonly (readonly [kind: string, name: string])[] = [
    ["GitRepository", config],
    ["Kustomization", `${config}-bootstrap`],
    ...tenants.map(({ name }) => ["Kustomization", tenantObject(name)] as const),
    ...(hasSecretsFolder(cluster) ? [["Kustomization", secretsName] as const] : []),
    ...sources.filter(({ spec }) => spec["suspend"] !== true).map(({ kind, name }) => [kind, name] as const),
  ];
  const own = needed.map(([kind, name]): OtherState => {
    const object = objects.find(
      (each) => each.kind === kind && each.name === name && each.namespace === fluxNamespace,
    );
    if (object !== undefined) return { ...healthOf(object), kind };
    const made = name === config || name === `${config}-bootstrap`;
    return {
      ...{ kind, name, healthy: false },
      word: made ? "failing" : "progressing",
      reason: `${kind} ${name} is not on the cluster`,
      ...(made && { next: "Run pulumi up; in Azure, look at the Flux configuration." }),
    };
  });
  const releases = objects
    .filter(({ kind }) => kind === "HelmRelease")
    .map((object): OtherState => ({ ...healthOf(object), kind: "HelmRelease" }))
    .filter(({ word }) => word === "failing" || word === "suspended");
  return [...own, ...openWindows(cluster, objects), ...releases];
}

/** A bootstrap whose folder is not on the followed branch yet cannot find it, which is no failure of the cluster. */
function untilItsFolder(
  part: OtherState,
  cluster: Cluster,
  wanted: Wanted,
  { committedTo }: JudgeContext,
): OtherState {
  const lacks = wanted.sets?.length === 0 && part.reason?.startsWith("ArtifactFailed") === true;
  if (part.name !== `${cluster.config}-bootstrap` || !lacks) return part;
  const { name, kind, healthy, since } = part;
  const { word, reason, next } = notCommitted(cluster, committedTo);
  return { ...{ name, kind, healthy, word, reason, next }, ...(since !== undefined && { since }) };
}

/** A window has a source of its own, shut between openings; only one that cannot fetch is of interest. */
function openWindows({ windows }: Cluster, objects: readonly FluxObject[]): OtherState[] {
  return windows.flatMap(({ name }) => {
    const object = objects.find(
      (each) => each.kind === "GitRepository" && each.name === windowObject(name) && !each.suspended,
    );
    const health = object && healthOf(object);
    return health?.word === "failing" ? [{ ...health, kind: "GitRepository" }] : [];
  });
}

function runsOf(
  { config }: Cluster,
  sets: readonly SetState[],
  { objects, follows }: Evidence,
): ClusterState["runs"] {
  const object = objects.find(
    ({ kind, name, namespace }) =>
      kind === "Kustomization" && name === `${config}-bootstrap` && namespace === fluxNamespace,
  );
  const bootstrap = object?.revision;
  const path = object?.spec?.["path"];
  // What the controller has not looked at yet is not what it applies.
  const folder =
    typeof path === "string" && object !== undefined && readyOf(object)?.status === "True"
      ? folderOf(path)
      : follows;
  const revisions = new Set(sets.filter(({ followsTip }) => followsTip).map(({ revision }) => revision));
  const [only] = revisions;
  return {
    ...(bootstrap !== undefined && { bootstrap }),
    ...(revisions.size === 1 && only !== undefined && { sets: only }),
    ...(folder !== undefined && { folder }),
  };
}

function fluxNote({ flux }: Cluster, { flux: runs }: Evidence): Note[] {
  if (runs === undefined || runs === flux.version) return [];
  return [
    {
      text: `runs Flux ${runs}, while the fleet file says flux.version ${flux.version}`,
      next: "Correct flux.version, or the version of the extension.",
    },
  ];
}

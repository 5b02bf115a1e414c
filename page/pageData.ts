import { ownSpec } from "../fleet/idle.ts";
import type { Loaded } from "../fleet/load.ts";
import type { Cluster, ClusterSet, Fleet } from "../fleet/model.ts";
import { type Graph, graphOf } from "../flux/graph.ts";
import type { RecordedRun, StageEvent, StageHistory } from "../history/index.ts";
import { isIn } from "../stages/index.ts";
import {
  type ClusterState,
  type FleetStatus,
  hashOf,
  type Note,
  type OtherState,
  type WindowStatus,
  type Word,
  words,
} from "../status/index.ts";
import { defined } from "../values/maps.ts";

/* What the page knows. Everything in it is data; the page shows it as text. */

export interface PageSet {
  readonly name: string;
  readonly word: Word;
  readonly reason?: string;
  readonly meaning?: string;
  readonly next?: string;
  /** Commit or revision, where it is another than the one that most sets of the cluster run. */
  readonly revision?: string;
  readonly window?: string;
  /** `fleet.yaml:12`, where the set is declared for the cluster. */
  readonly place?: string;
}

export interface PageCluster {
  readonly name: string;
  readonly stage?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly word: Word;
  /** Whether nothing runs in its sets, but for those that say otherwise. */
  readonly idle?: true;
  readonly reason?: string;
  readonly since?: string;
  readonly wanted: {
    readonly branch: string;
    readonly commit?: string;
    readonly committedAt?: string;
    readonly pins: string;
  };
  /** Commits. */
  readonly runs: { readonly bootstrap?: string; readonly sets?: string };
  readonly sets: readonly PageSet[];
  /** Those that are not ready. */
  readonly others: readonly Pick<OtherState, "kind" | "name" | "word" | "reason">[];
  readonly notes: readonly Note[];
  readonly windows: readonly WindowStatus[];
  readonly source: ClusterState["source"];
  readonly asOf?: string;
  readonly flux?: string;
  /** Index into `graphs`. */
  readonly graph: number;
  readonly place?: string;
  /** What was recorded, the newest first. */
  readonly ran: readonly RecordedRun[];
}

export type PageGraph = Pick<Graph, "nodes" | "edges">;

export interface PageStage {
  readonly name: string;
  readonly branch: string;
  readonly after?: string;
  /** What its sets and pins say, by `set pos: interval`; what its clusters do not say alike is `differs between clusters`. */
  readonly says: Readonly<Record<string, string>>;
}

export interface PageCommit {
  readonly id: string;
  readonly time: string;
  readonly person: string;
  readonly subject: string;
  readonly pullRequest?: string;
  /** When and how it came to each stage, by name. */
  readonly stages: Readonly<Record<string, Pick<StageEvent, "time" | "kind">>>;
}

export interface PageData {
  readonly asOf: string;
  readonly repository: string;
  /** Who did not answer, and why. */
  readonly faults: readonly string[];
  /** Worst first. */
  readonly words: readonly Word[];
  readonly clusters: readonly PageCluster[];
  /** Graphs that clusters have, each once. */
  readonly graphs: readonly PageGraph[];
  readonly stages: readonly PageStage[];
  /** The newest of all stages, the newest first. */
  readonly commits: readonly PageCommit[];
  /** Branch of the record; absent where nobody keeps one. */
  readonly record?: string;
}

/** What a page is made of. */
export interface PageSources {
  readonly fleet: Fleet;
  /** In the order of `status.states`. */
  readonly clusters: readonly Cluster[];
  readonly finding: Loaded["finding"];
  readonly status: Pick<FleetStatus, "states" | "faults" | "asOf">;
  readonly history: readonly StageHistory[];
  /** What was recorded by cluster, and where. */
  readonly record?: { readonly branch: string; readonly runs: ReadonlyMap<string, readonly RecordedRun[]> };
}

/** Commits that are shown of all stages together. */
const mostCommits = 60;

/** Gathers what a page shows. */
export function pageData({ fleet, clusters, finding, status, history, record }: PageSources): PageData {
  const graphs = new Map<string, { readonly index: number; readonly graph: PageGraph }>();
  const graphIndex = (cluster: Cluster): number => {
    const { nodes, edges } = graphOf(cluster);
    const key = JSON.stringify([nodes, edges]);
    const known = graphs.get(key) ?? { index: graphs.size, graph: { nodes, edges } };
    graphs.set(key, known);
    return known.index;
  };
  const placeOf = (...path: string[]): string | undefined => {
    const { file, line } = finding("warning", path, "");
    return file === "" ? undefined : `${file}:${line}`;
  };
  return {
    asOf: status.asOf,
    repository: fleet.repository.url,
    faults: status.faults,
    words,
    clusters: status.states.map((state, index) =>
      clusterOf(
        state,
        clusters[index]!,
        // A ring is a stage of its own here: it has a branch of its own.
        fleet.stages.find((stage) => isIn(clusters[index]!, stage))?.name,
        graphIndex(clusters[index]!),
        placeOf,
        record?.runs.get(state.cluster) ?? [],
      ),
    ),
    graphs: [...graphs.values()].map(({ graph }) => graph),
    stages: fleet.stages.map((stage) => ({
      name: stage.name,
      branch: stage.branch,
      ...(stage.after !== undefined && { after: stage.after }),
      says: saysOf(clusters.filter((cluster) => isIn(cluster, stage))),
    })),
    commits: commitsOf(history),
    ...(record && { record: record.branch }),
  };
}

function clusterOf(
  state: ClusterState,
  { labels }: Cluster,
  stage: string | undefined,
  graph: number,
  placeOf: (...path: string[]) => string | undefined,
  ran: readonly RecordedRun[],
): PageCluster {
  const { cluster: name, wanted, runs, sets, others, ...rest } = state;
  const own = hashOf(runs.sets) ?? hashOf(runs.bootstrap);
  const { commit, committedAt, branch, pins } = wanted;
  return defined({
    ...rest,
    name,
    stage: stage ?? rest.stage,
    labels,
    wanted: defined({ branch, commit, committedAt, pins: pinText(pins) }),
    runs: defined({ bootstrap: hashOf(runs.bootstrap), sets: hashOf(runs.sets) }),
    sets: sets.map(({ name: set, word, reason, meaning, next, revision, window }) =>
      defined({
        ...{ name: set, word, reason, meaning, next, window },
        revision: hashOf(revision) === own ? undefined : (hashOf(revision)?.slice(0, 8) ?? revision),
        place: placeOf("clusters", name, "sets", set),
      }),
    ),
    others: others
      .filter(({ word }) => word !== "ready")
      .map(({ kind, name, word, reason }) => defined({ kind, name, word, reason })),
    graph,
    place: placeOf("clusters", name),
    ran,
  });
}

/** What the clusters of a stage say alike of their sets and sources. */
function saysOf(clusters: readonly Cluster[]): Readonly<Record<string, string>> {
  const says = new Map<string, string>();
  const counts = new Map<string, number>();
  const say = (key: string, value: unknown): void => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (text === undefined) return;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    says.set(key, says.has(key) && says.get(key) !== text ? various : text);
  };
  for (const { sets, sources } of clusters) {
    for (const set of sets)
      for (const [field, value] of fieldsOf(set)) say(`set ${set.name}: ${field}`, value);
    for (const { name, spec } of sources) say(`source ${name}: ref`, spec["ref"] ?? {});
  }
  return Object.fromEntries(
    [...says].map(([key, text]) => [
      key,
      counts.get(key) === clusters.length
        ? text
        : `${text} (${counts.get(key)} of ${clusters.length} clusters)`,
    ]),
  );
}

const various = "differs between clusters";

function fieldsOf(set: ClusterSet): [string, unknown][] {
  const { sourceRef, dependsOn, window, suspension, idle } = set;
  return [
    ...Object.entries(ownSpec(set)).filter(([field]) => field !== "postBuild"),
    ["idle", idle],
    ["source", sourceRef.name],
    ["dependsOn", dependsOn.length > 0 ? dependsOn.map(({ name }) => name).join(", ") : undefined],
    ["window", window],
    ["suspend", suspension?.reason],
  ];
}

function commitsOf(history: readonly StageHistory[]): PageCommit[] {
  const found = new Map<
    string,
    { commit: Omit<PageCommit, "stages">; stages: Record<string, Pick<StageEvent, "time" | "kind">> }
  >();
  for (const { track, events } of history)
    for (const event of events) {
      // A promotion is known by what it brought, so that a change has one row on its way.
      const id = event.kind === "promotion" && event.from !== undefined ? event.from : event.commit;
      const { time, person, subject, pullRequest, kind } = event;
      const known = found.get(id) ?? {
        commit: defined({ id, time, person, subject, pullRequest }),
        stages: {},
      };
      known.stages[track.name] ??= { time, kind };
      found.set(id, known);
    }
  return [...found.values()]
    .map(({ commit, stages }) => ({ ...commit, stages }))
    .sort((one, other) => (one.time < other.time ? 1 : -1))
    .slice(0, mostCommits);
}

function pinText(pins: ClusterState["wanted"]["pins"]): string {
  return Object.entries(pins)
    .map(([source, ref]) => `${source} ${textOf(ref)}`)
    .join(", ");
}

/** A ref in short: its one value, such as `v1.4.0`; else all of it. */
function textOf(ref: object): string {
  const [value, ...more] = Object.values(ref) as unknown[];
  return typeof value === "string" && more.length === 0 ? value : JSON.stringify(ref);
}

import type { Builder } from "../build/index.ts";
import { clusterState } from "../checks/applied/index.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import type { Branches, ToldCommit } from "../git/index.ts";
import { commitAt } from "./commitAt.ts";
import { eventsOf, isoOf, type StageEvent } from "./stageEvent.ts";
import type { Track } from "./track.ts";
import { versionsIn } from "./versions.ts";

/** What a stage, and with it a cluster, should have run at a time. */
export interface Moment {
  /** Absent where the branch had no commit yet; `unknown` where it was not read that far back. */
  readonly wanted?: StageEvent | "unknown";
  /** Time of the oldest commit that was read, where that is not the first. */
  readonly readFrom?: string;
  /** Of a cluster: what its manifests said, and what of that may have been anything. */
  readonly versions?: readonly string[];
  readonly open?: readonly string[];
  /** Sets that lie elsewhere or do not build, with why. */
  readonly unseen?: readonly string[];
}

/** Reads what was wanted at a time; undefined where the branch does not exist. */
export async function readMoment(
  fleet: Fleet,
  track: Track,
  cluster: Cluster | undefined,
  at: Date,
  repository: Branches,
  builder: Pick<Builder, "build" | "substitute"> | undefined,
): Promise<Moment | undefined> {
  const branch = await repository.line(track.branch);
  if (branch === undefined) return undefined;
  const commit = commitAt(branch, at);
  if (commit === "unknown") return { wanted: commit, readFrom: isoOf(branch.line.at(-1)!) };
  if (commit === undefined) return {};
  const before = track.before === undefined ? undefined : await repository.line(track.before);
  const since = branch.line.slice(branch.line.indexOf(commit));
  const [wanted] = eventsOf(since, before);
  if (cluster === undefined) return { wanted: wanted! };
  return { wanted: wanted!, ...(await versionsAt(fleet, track, cluster, commit, repository, builder)) };
}

async function versionsAt(
  { repository: { url } }: Fleet,
  { branch }: Track,
  cluster: Cluster,
  commit: ToldCommit,
  repository: Branches,
  builder: Pick<Builder, "build" | "substitute"> | undefined,
): Promise<Pick<Moment, "versions" | "open" | "unseen">> {
  const tree = repository.reader(branch, commit);
  const isThere = (await tree.list([cluster.fluxFolder])).size > 0;
  if (!isThere) return { unseen: [`${cluster.fluxFolder} was not on ${branch}`] };
  if (builder === undefined) return { unseen: ["there is no build engine here"] };
  const { sets, unbuilt } = await clusterState(cluster, { tree, branch, url }, builder);
  const found = versionsIn(sets.flatMap(({ objects }) => objects.map(({ object }) => object)));
  // The fleet's own repository is the commit itself.
  const all = [...found].filter(
    ([key]) => key !== `source ${cluster.config}` && !key.startsWith("source window-"),
  );
  const textOf = ([key, { text }]: (typeof all)[number]): string => `${key} ${text}`;
  return {
    versions: all.map(textOf).sort(),
    open: all
      .filter(([, { open }]) => open === true)
      .map(textOf)
      .sort(),
    unseen: unbuilt.map(({ set, message }) => `${set}: ${message}`),
  };
}

import type { Builder } from "../build/index.ts";
import { clusterState } from "../checks/applied/index.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import type { Branches, ToldCommit } from "../git/index.ts";
import { asMap, asText } from "../values/maps.ts";
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
  const objects = sets.flatMap((set) => set.objects.map(({ object }) => object));
  const found = versionsIn(objects);
  // The fleet's own repository is the commit itself.
  const all = [...found].filter(
    ([key]) => key !== `source ${cluster.config}` && !key.startsWith("source window-"),
  );
  const { commits } = await repository.refs();
  // What a tag pointed to then, nobody has written down; an update refuses one that moved.
  const tagged = new Map<string, string>(
    objects
      .filter(({ spec }) => asMap(spec)["url"] === url)
      .flatMap(({ metadata, spec }) => {
        const tag = asText(asMap(asMap(spec)["ref"])["tag"]) ?? "";
        const name = asText(asMap(metadata)["name"]) ?? "";
        return Object.hasOwn(commits, tag) ? [[`source ${name}`, commits[tag]!] as const] : [];
      }),
  );
  const textOf = ([key, { text }]: (typeof all)[number]): string => {
    const commit = text.startsWith("tag ") ? tagged.get(key) : undefined;
    return `${key} ${text}${commit === undefined ? "" : ` (now ${commit.slice(0, 12)})`}`;
  };
  return {
    versions: all.map(textOf).sort(),
    open: all
      .filter(([, { open }]) => open === true)
      .map(textOf)
      .sort(),
    unseen: unbuilt.map(({ set, message }) => `${set}: ${message}`),
  };
}

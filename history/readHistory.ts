import type { Cluster, Fleet } from "../fleet/model.ts";
import type { Branches } from "../git/index.ts";
import { type Changed, changedBy } from "./changed.ts";
import { placingOf } from "./placing.ts";
import { eventsOf, type StageEvent } from "./stageEvent.ts";
import type { Track } from "./track.ts";

export interface HistoryQuestion {
  readonly track: Track;
  /** Only what is about this cluster. */
  readonly cluster?: Cluster | undefined;
  readonly since?: Date | undefined;
  /** Most events that are told, the newest first. */
  readonly most: number;
}

/** What was brought to a branch, the newest first. */
export interface StageHistory {
  readonly track: Track;
  readonly events: readonly (StageEvent & { readonly changed: readonly Changed[] })[];
  /** Whether there is more that was not looked at. */
  readonly more: boolean;
}

/** Commits that are looked through for those of one cluster. */
const mostSearched = 500;

/** Reads what happened on a branch; undefined where it does not exist. */
export async function readHistory(
  fleet: Fleet,
  { track, cluster, since, most }: HistoryQuestion,
  repository: Branches,
): Promise<StageHistory | undefined> {
  const branch = await repository.line(track.branch);
  if (branch === undefined) return undefined;
  const before = track.before === undefined ? undefined : await repository.line(track.before);
  const all = eventsOf(branch.line, before);
  const from = since === undefined ? 0 : since.getTime() / 1000;
  const placing = placingOf(fleet, cluster);
  const events: (StageEvent & { readonly changed: readonly Changed[] })[] = [];
  let seen = 0;
  // Times on a branch need not fall: what is older than asked for is passed over, not the end.
  for (const [index, commit] of branch.line.entries()) {
    if (commit.time < from) continue;
    seen += 1;
    if (events.length === most || seen > mostSearched) return { track, events, more: true };
    const changed = await changedBy(repository, track.branch, commit, branch.line[index + 1], placing);
    // Of one cluster only what changed something for it; a rollback to the same tree is nothing.
    if (cluster !== undefined && changed.length === 0) continue;
    events.push({ ...all[index]!, changed });
  }
  return { track, events, more: since === undefined && !branch.whole };
}

import { createHash } from "node:crypto";
import { matchable, matches } from "./labels.ts";
import type { FleetFile } from "./schema.ts";
import type { ClusterEntry, StageEntry } from "./schema/layer.ts";
import type { RingEntry } from "./schema/ring.ts";

/** Rings of a stage that match a cluster by its labels: at most one, but for a fault. */
export function matchingRings(rings: readonly RingEntry[], entry: ClusterEntry): readonly RingEntry[] {
  const labels = matchable(entry);
  return rings.filter(({ match }) => match !== undefined && matches(labels, Object.entries(match)));
}

/**
 * The ring of a cluster: the one that matches it, else the first whose share takes it. Names alone decide on a share, so
 * that no cluster changes its ring, and with it its branch, since another one came or went.
 */
export function ringOf(
  stage: string,
  rings: readonly RingEntry[],
  name: string,
  entry: ClusterEntry,
): RingEntry | undefined {
  const [matching] = matchingRings(rings, entry);
  const known = entry.formerly ?? name;
  return (
    matching ??
    rings.find(
      (each) =>
        each.share !== undefined && draw(`${stage}/${each.name}/${known}`) < Number.parseFloat(each.share),
    )
  );
}

/** A number from 0 to below 100 that belongs to a text. */
function draw(text: string): number {
  return (createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32) * 100;
}

/** A ring as promotions see it: a stage of its own, one after the other. */
export interface RingStage {
  readonly name: string;
  readonly branch: string;
  readonly after: string | undefined;
}

/**
 * The rings of a stage that promotions move, by name: each follows a branch of its own, the last one the branch of the
 * stage, so that this holds what all of the stage has. Empty for a stage without rings, and for one that follows the branch
 * of updates: to that nothing is promoted, and its rings are for pins alone.
 */
export function ringStages(
  stage: string,
  { rings = [], branch, after }: StageEntry,
  { repository }: Pick<FleetFile, "repository">,
): ReadonlyMap<string, RingStage> {
  if (branch === undefined || branch === repository.branch) return new Map();
  const last = rings.length - 1;
  const nameOf = (index: number): string => (index === last ? stage : `${stage}/${rings[index]!.name}`);
  return new Map(
    rings.map((ring, index) => [
      ring.name,
      {
        name: nameOf(index),
        branch: index === last ? branch : `${branch}-${ring.name}`,
        after: index === 0 ? after : nameOf(index - 1),
      },
    ]),
  );
}

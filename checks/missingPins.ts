import { validRange } from "semver";

import type { Cluster, Fleet, Source } from "../fleet/model.ts";
import type { Refs } from "../git/index.ts";
import { printable, showNames } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { newestWithin } from "./pinnedTrees.ts";

/**
 * Errors for pins of the fleet's own repository to a tag, a range of versions or a branch that it does not have: the
 * clusters would get nothing of that source, and Flux alone would say so. One for all clusters that share a pin. A commit
 * cannot be asked for by its name, so it is left out. `refs` is asked once, and only where something is pinned.
 */
export async function missingPins(
  fleet: Fleet,
  location: string,
  refs: (() => Promise<Refs>) | undefined,
): Promise<Fault[]> {
  const pins = pinsOf(fleet);
  if (pins.length === 0 || refs === undefined) return [];
  const there = await refs();
  return pins.flatMap((pin) => faultOf(pin, location, there) ?? []);
}

/** A revision of the fleet's own repository that a source is pinned to, with the clusters that take it so. */
interface Pin {
  readonly source: string;
  readonly kind: "tag" | "semver" | "branch";
  readonly value: string;
  readonly clusters: readonly [Cluster, ...Cluster[]];
}

function pinsOf({ clusters }: Fleet): Pin[] {
  const found = new Map<string, { pin: Omit<Pin, "clusters">; clusters: [Cluster, ...Cluster[]] }>();
  for (const cluster of clusters) {
    for (const source of cluster.sources) {
      const pin = pinOf(source);
      if (pin === undefined || (pin.kind === "branch" && pin.value === cluster.follows)) continue;
      const key = JSON.stringify(pin);
      const known = found.get(key);
      if (known === undefined) found.set(key, { pin, clusters: [cluster] });
      else known.clusters.push(cluster);
    }
  }
  return [...found.values()].map(({ pin, clusters }) => ({ ...pin, clusters }));
}

/** What Flux would look for, in the order in which it takes the keys of a ref. */
function pinOf({ name, self, spec }: Source): Omit<Pin, "clusters"> | undefined {
  const ref = (self ? spec["ref"] : undefined) as Readonly<Record<string, string>> | undefined;
  if (ref === undefined || "commit" in ref || "name" in ref) return undefined;
  const kind = (["semver", "tag", "branch"] as const).find((key) => key in ref);
  return kind === undefined ? undefined : { source: name, kind, value: ref[kind]! };
}

function faultOf({ source, kind, value, clusters }: Pin, location: string, refs: Refs): Fault | undefined {
  if (isThere(kind, value, refs)) return undefined;
  const [first] = clusters;
  const names = showNames(
    clusters.map(({ name }) => name),
    3,
  );
  const what = kind === "semver" ? "tag within" : kind;
  const known = kind === "branch" ? refs.branches : refs.tags;
  const list = known.length === 0 ? "none" : printable(showNames(known.slice(-10).reverse(), 10));
  return {
    severity: "error",
    path: ["clusters", first.name, "pins", source],
    message:
      `${location} has no ${what} ${value}, so ${names} would get nothing of ${source}. ` +
      `There: ${list}. Push it first, or pin one of these`,
  };
}

function isThere(kind: Pin["kind"], value: string, { branches, tags }: Refs): boolean {
  if (kind === "branch") return branches.includes(value);
  if (kind === "tag") return tags.includes(value);
  return validRange(value.replaceAll(",", " ")) === null || newestWithin(value, tags) !== undefined;
}

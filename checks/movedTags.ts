import type { Cluster, Fleet } from "../fleet/model.ts";
import type { Refs } from "../git/index.ts";
import { asMap, asText } from "../values/maps.ts";
import { showSome } from "../values/show.ts";
import type { Fault } from "./fault.ts";

/** Commits that tags point to, by tag. */
export type TagCommits = Readonly<Record<string, string>>;

/** What the tags that sources of the fleet's own repository are pinned to point to; of a range the newest may change. */
export async function pinnedTags(
  fleet: Pick<Fleet, "clusters">,
  refs: (() => Promise<Refs>) | undefined,
): Promise<TagCommits | undefined> {
  const tags = [...takers(fleet).keys()];
  if (refs === undefined) return undefined;
  if (tags.length === 0) return {};
  const { commits } = await refs();
  return Object.fromEntries(
    tags.sort().flatMap((tag) => (Object.hasOwn(commits, tag) ? [[tag, commits[tag]!]] : [])),
  );
}

/**
 * Errors for tags that point elsewhere than at the last update, once a tag: clusters that fetched it before and ones that
 * fetch it now would run two things under one name, and each commit that was proved there is proved no more.
 */
export function movedTags(
  fleet: Pick<Fleet, "clusters">,
  location: string,
  now: TagCommits,
  before: TagCommits,
): Fault[] {
  return [...takers(fleet)].flatMap(([tag, { source, clusters }]): Fault[] => {
    const [was, is] = [Object.hasOwn(before, tag) ? before[tag] : undefined, now[tag]];
    if (was === undefined || is === undefined || was === is) return [];
    const [first] = clusters;
    return [
      {
        severity: "error",
        path: ["clusters", first!.name, "pins", source],
        message:
          `tag ${tag} of ${location} was ${was.slice(0, 12)} at the last update and is ${is.slice(0, 12)} now, so ` +
          `${showSome(clusters.map(({ name }) => name))} may run either. Make a new tag and pin that, move it back, or pin commit: ${is}`,
      },
    ];
  });
}

/** Tags that sources of the fleet's own repository are pinned to, in the order in which Flux takes the keys of a ref. */
function takers({
  clusters,
}: Pick<Fleet, "clusters">): ReadonlyMap<string, { readonly source: string; readonly clusters: Cluster[] }> {
  const found = new Map<string, { readonly source: string; readonly clusters: Cluster[] }>();
  for (const cluster of clusters) {
    for (const { name, self, spec } of cluster.sources) {
      const ref = asMap(self ? spec["ref"] : undefined);
      const tag = ["commit", "name", "semver"].some((key) => key in ref) ? undefined : asText(ref["tag"]);
      if (tag === undefined) continue;
      const known = found.get(tag) ?? { source: name, clusters: [] };
      found.set(tag, known);
      if (known.clusters.at(-1) !== cluster) known.clusters.push(cluster);
    }
  }
  return found;
}

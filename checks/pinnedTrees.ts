import { maxSatisfying, validRange } from "semver";
import { asText, type YamlMap } from "../values/maps.ts";
import type { RepositoryTree, RepositoryTrees } from "./repositoryTree.ts";

/** The fleet's own repository at what the `ref` of a source says; undefined where nobody can tell. */
export type PinnedTrees = (ref: YamlMap) => Promise<RepositoryTree | undefined>;

/** Reads each pin once, however many clusters have it. An update writes nothing there. */
export function pinnedTrees({ at, refs }: Pick<RepositoryTrees, "at" | "refs">): PinnedTrees {
  const known = new Map<string, Promise<RepositoryTree | undefined>>();
  const read = async (ref: YamlMap): Promise<RepositoryTree | undefined> => {
    const revision = await revisionOf(ref, async () => (await refs?.())?.tags ?? []);
    return revision === undefined ? undefined : at?.(revision);
  };
  return (ref) => {
    const key = JSON.stringify(ref);
    const found = known.get(key) ?? read(ref);
    known.set(key, found);
    return found;
  };
}

/** In the order in which Flux takes the keys of a ref. */
async function revisionOf(ref: YamlMap, tags: () => Promise<readonly string[]>): Promise<string | undefined> {
  const [commit, name, semver, tag, branch] = ["commit", "name", "semver", "tag", "branch"].map((key) =>
    asText(ref[key]),
  );
  if (commit !== undefined) return commit.toLowerCase();
  if (name !== undefined) return name;
  if (semver !== undefined) {
    const found = newestWithin(semver, await tags());
    return found === undefined ? undefined : `refs/tags/${found}`;
  }
  if (tag !== undefined) return `refs/tags/${tag}`;
  return branch === undefined ? undefined : `refs/heads/${branch}`;
}

/** The newest tag within a range as Flux writes it, with commas that mean and; undefined where none is. */
export function newestWithin(range: string, tags: readonly string[]): string | undefined {
  const read = validRange(range.replaceAll(",", " "));
  return (read === null ? null : maxSatisfying([...tags], read)) ?? undefined;
}

/** `tag v1.4.0`, for messages: what Flux goes by. */
export function pinText(ref: YamlMap): string {
  const key = ["commit", "name", "semver", "tag", "branch"].find((each) => asText(ref[each]) !== undefined);
  return key === undefined ? "nothing" : `${key} ${asText(ref[key])}`;
}

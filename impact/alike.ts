/** Something that is said of a set of a cluster. */
interface Said<T> {
  readonly cluster: string;
  /** Folder of the cluster. */
  readonly folder: string;
  readonly set: string;
  readonly more: T;
}

/**
 * Clusters of which the same is said of a set, as one; by the name of the set. In texts of several clusters `{folder}`
 * stands for the folder of each.
 */
export function alike<T>(
  all: readonly Said<T>[],
): { readonly set: string; readonly clusters: readonly string[]; readonly more: T }[] {
  const groups = Map.groupBy(
    all,
    ({ set, more, folder }) => `${set} ${anyFolder(JSON.stringify(more), folder)}`,
  );
  return [...groups.values()]
    .map(([first, ...others]) => ({
      set: first!.set,
      clusters: [first!, ...others].map(({ cluster }) => cluster),
      more:
        others.length === 0
          ? first!.more
          : (JSON.parse(anyFolder(JSON.stringify(first!.more), first!.folder)) as T),
    }))
    .sort((one, other) => (one.set < other.set ? -1 : one.set > other.set ? 1 : 0));
}

function anyFolder(text: string, folder: string): string {
  return folder === "" ? text : text.replaceAll(`"${folder}/`, '"{folder}/');
}

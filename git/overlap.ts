/**
 * Splits a list, in order, into those whose paths meet no path of an earlier one, and the rest. Paths meet when they
 * are the same, differ in case alone, or when one is a folder of the other.
 */
export function firstOfEach<T>(
  all: readonly T[],
  pathsOf: (item: T) => readonly string[],
): { readonly chosen: readonly T[]; readonly later: readonly T[] } {
  const files = new Set<string>();
  const folders = new Set<string>();
  const chosen: T[] = [];
  const later: T[] = [];
  for (const item of all) {
    const paths = pathsOf(item).map((path) => path.normalize("NFC").toLowerCase());
    const meets = paths.some(
      (path) => files.has(path) || folders.has(path) || parentsOf(path).some((folder) => files.has(folder)),
    );
    (meets ? later : chosen).push(item);
    // The paths of one that waits count too, so that the order among those that meet is kept.
    for (const path of paths) {
      files.add(path);
      for (const folder of parentsOf(path)) folders.add(folder);
    }
  }
  return { chosen, later };
}

function parentsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

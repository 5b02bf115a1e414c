/**
 * Splits a list, in order, into those whose paths meet no path of an earlier one, and the rest. Paths meet when they
 * are the same, differ in case alone (they or the folders they lie in), or when one is a folder of the other.
 */
export function firstOfEach<T>(
  all: readonly T[],
  pathsOf: (item: T) => readonly string[],
): { readonly chosen: readonly T[]; readonly later: readonly T[] } {
  const files = new Set<string>();
  /** How each folder is spelt, by its form that knows no case. */
  const folders = new Map<string, string>();
  const chosen: T[] = [];
  const later: T[] = [];
  for (const item of all) {
    const paths = pathsOf(item);
    const meets = paths.some(
      (path) =>
        files.has(folded(path)) ||
        folders.has(folded(path)) ||
        parentsOf(path).some(
          (folder) => files.has(folded(folder)) || (folders.get(folded(folder)) ?? folder) !== folder,
        ),
    );
    (meets ? later : chosen).push(item);
    // The paths of one that waits count too, so that the order among those that meet is kept.
    for (const path of paths) {
      files.add(folded(path));
      for (const folder of parentsOf(path)) {
        if (!folders.has(folded(folder))) folders.set(folded(folder), folder);
      }
    }
  }
  return { chosen, later };
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function parentsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

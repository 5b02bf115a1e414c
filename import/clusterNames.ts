/** Names of folders that say nothing of the cluster: what brings it lies in them. */
const silent = /^(flux|flux-system|bootstrap|cluster|config|)$/;

/**
 * A name for the cluster of each folder: the last part of its path, with as many parts before it as tell it from the
 * others; `clusters/prod/a` and `clusters/dev/a` are `prod-a` and `dev-a`.
 */
export function clusterNames(folders: readonly string[]): string[] {
  const parts = folders.map(placeParts);
  const longest = Math.max(0, ...parts.map(({ length }) => length));
  const byCount = Array.from({ length: longest }, (_, index) =>
    Map.groupBy(parts, (names) => names.slice(-index - 1).join("-")),
  );
  return parts.map((names, index) => {
    for (let count = 1; count <= names.length; count++) {
      const name = names.slice(-count).join("-");
      if (byCount[count - 1]!.get(name)!.length === 1) return name.slice(0, 63) || "cluster";
    }
    return `${names.join("-")}-${index + 1}`;
  });
}

/** The parts of a folder's path, without the last ones that say nothing of the cluster. */
export function placeParts(folder: string): readonly string[] {
  const names = folder.split("/");
  while (names.length > 1 && silent.test(names.at(-1)!)) names.pop();
  return names.map(allowed);
}

/** A part of a path with nothing that a cluster's name may not have. */
function allowed(name: string): string {
  return name.replaceAll(/[^-_A-Za-z0-9]+/g, "-").replaceAll(/^[-_]+|[-_]+$/g, "");
}

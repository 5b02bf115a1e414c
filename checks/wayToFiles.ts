import type { Cluster } from "../fleet/model.ts";
import { foldedName } from "../git/index.ts";
import { printable } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import type { TreeEntry } from "./repositoryTree.ts";

/** A folder, ready to be asked for names. */
interface Listing {
  readonly byName: ReadonlyMap<string, TreeEntry>;
  /** Names by the form in which some file system takes them for one. */
  readonly alike: ReadonlyMap<string, readonly string[]>;
}

/**
 * Errors for what stands on the way to generated files: something that is not a folder where one is needed, or a name that
 * differs in case alone, of which a checkout on Windows or macOS holds one. An update is refused there too, cluster by
 * cluster; here each is said once, at the first cluster.
 */
export async function checkWayToFiles(
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
): Promise<Fault[]> {
  const listings = new Map<string, Promise<Listing>>();
  const listing = (folder: string): Promise<Listing> => {
    const known = listings.get(folder) ?? reader.list(folder).then(indexed);
    listings.set(folder, known);
    return known;
  };
  const found = new Map<string, { readonly message: string; readonly clusters: Set<string> }>();
  await Promise.all(
    [...rendered].map(async ([{ name }, files]) => {
      for (const path of prefixesOf(files.keys())) {
        const slash = path.lastIndexOf("/");
        const own = path.slice(slash + 1);
        const { byName, alike } = await listing(path.slice(0, Math.max(slash, 0)));
        const twin = alike.get(foldedName(own))?.find((other) => other !== own);
        const there = byName.get(own);
        const message =
          there !== undefined && there.kind !== "folder" && !files.has(path)
            ? `${path} is a ${there.kind}, where a folder is needed; move it away, or give the cluster another folder`
            : twin !== undefined
              ? `${path.slice(0, slash + 1)}${twin} differs from ${path} in case alone, and a checkout on Windows or macOS holds one of the two; rename one`
              : undefined;
        if (message === undefined) continue;
        const fault = found.get(path) ?? { message, clusters: new Set<string>() };
        fault.clusters.add(name);
        found.set(path, fault);
      }
    }),
  );
  return [...found.values()].map(({ message, clusters: [first = "", ...others] }): Fault => ({
    severity: "error",
    path: ["clusters", first],
    message: printable(others.length === 0 ? message : `${message} (for ${others.length + 1} clusters)`),
  }));
}

/** Paths with the folders above them, each once. */
function prefixesOf(paths: Iterable<string>): Set<string> {
  const prefixes = new Set<string>();
  for (const path of paths) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) prefixes.add(path.slice(0, at));
    prefixes.add(path);
  }
  return prefixes;
}

function indexed(entries: readonly TreeEntry[] = []): Listing {
  return {
    byName: new Map(entries.map((entry) => [entry.name, entry])),
    alike: Map.groupBy(
      entries.map(({ name }) => name),
      foldedName,
    ),
  };
}

import { posix } from "node:path";

/**
 * One spelling for a folder of a repository: `./x`, `x`, `/x`, `x/` and `a/../x` all become `x`, the root becomes ``.
 * What leaves the repository keeps its `..` and so equals no folder in it.
 */
export function repositoryPath(path: string): string {
  const plain = posix.normalize(path.replace(/^\/+/, "")).replace(/\/+$/, "");
  return plain === "." ? "" : plain;
}

/** The deepest folder that holds all the given folders; undefined for none. */
export function commonFolder(folders: readonly string[]): string | undefined {
  const [first, ...others] = folders.map((folder) => (folder === "" ? [] : folder.split("/")));
  if (first === undefined) return undefined;
  const differs = (part: string, at: number): boolean => others.some((other) => other[at] !== part);
  const end = first.findIndex(differs);
  return (end === -1 ? first : first.slice(0, end)).join("/");
}

/** A folder as Azure's `path` is best written: `./clusters/edge-0/flux`. */
export function writtenPath(folder: string): string {
  return folder === "" ? "./" : `./${folder}`;
}

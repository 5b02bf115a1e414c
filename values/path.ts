/** Words for paths of a repository: from its root, with slashes, no leading or trailing one; `""` is the root. */

/** Path from the root of the repository. */
export function fullPath(directory: string, path: string): string {
  return directory === "" ? path : `${directory}/${path}`;
}

/** As fullPath, of many. */
export function fullPaths(directory: string, paths: readonly string[]): string[] {
  return paths.map((path) => fullPath(directory, path));
}

/** The other way: a path from the root, in the directory, as one from there. */
export function pathBelow(directory: string, path: string): string {
  return path.slice(fullPath(directory, "").length);
}

/** Folders, each once, without those that lie in another one of them. */
export function outermost(folders: readonly string[]): string[] {
  const all = new Set(folders);
  return [...all].filter((folder) => !above(folder).some((outer) => all.has(outer)));
}

/** The folder that a file lies in. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** What a file is called in its folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Every folder that a folder lies in, the root last. */
function above(folder: string): string[] {
  const found: string[] = [];
  for (let at = folder; at !== "";) found.push((at = folderOf(at)));
  return found;
}

/** Whether a path lies in a folder, at any depth. */
export function isInside(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

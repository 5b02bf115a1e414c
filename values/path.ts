/** Words for paths of a repository: from its root, with slashes, no leading or trailing one; `""` is the root. */

/** Path from the root of the repository. */
export function fullPath(directory: string, path: string): string {
  return directory === "" ? path : `${directory}/${path}`;
}

/** The other way: a path from the root, in the directory, as one from there. */
export function pathBelow(directory: string, path: string): string {
  return path.slice(fullPath(directory, "").length);
}

/** The folder that a file lies in. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** What a file is called in its folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a path lies in a folder, at any depth. */
export function isInside(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

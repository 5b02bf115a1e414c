import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Dirent } from "node:fs";
import type { RepositoryTree, TreeEntry } from "./repositoryTree.ts";

/**
 * A folder on disk as a repository: what lies in it now, committed or not. A folder is only entered under its exact
 * case, also where the file system takes any. Rejects with the file system's own error where it may not be read.
 */
export function folderTree(root: string): RepositoryTree {
  const known = new Map<string, Promise<readonly TreeEntry[] | undefined>>();

  const entries = (folder: string): Promise<readonly TreeEntry[] | undefined> => {
    let found = known.get(folder);
    if (found === undefined) known.set(folder, (found = readFolder(folder)));
    return found;
  };

  const readFolder = async (folder: string): Promise<readonly TreeEntry[] | undefined> => {
    if (folder !== "" && (await kindAt(folder)) !== "folder") return undefined;
    const found = await readdir(join(root, folder), { withFileTypes: true });
    return found
      .filter(({ name }) => name !== ".git")
      .map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  };

  const kindAt = async (path: string): Promise<string | undefined> => {
    const slash = path.lastIndexOf("/");
    const siblings = await entries(path.slice(0, Math.max(slash, 0)));
    return siblings?.find(({ name }) => name === path.slice(slash + 1))?.kind;
  };

  return {
    async list(folders) {
      const found = await Promise.all(
        folders.map(async (folder) => [folder, await entries(folder)] as const),
      );
      return new Map(
        found.flatMap(([folder, list]) => (list === undefined ? [] : [[folder, list] as const])),
      );
    },
    async read(paths) {
      const contents = new Map<string, Uint8Array>();
      // One after the other: thousands of open files at once is more than a process may have.
      for (const path of paths) {
        if ((await kindAt(path)) === "file") contents.set(path, await readFile(join(root, path)));
      }
      return contents;
    },
  };
}

function kindOf(entry: Dirent): string {
  if (entry.isDirectory()) return "folder";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

/** Whether a path names a folder on disk that is no bare repository. */
export async function isPlainFolder(path: string): Promise<boolean> {
  const there = async (name: string): Promise<boolean> =>
    stat(join(path, name)).then(
      () => true,
      () => false,
    );
  const folder = await stat(path).catch(() => undefined);
  if (!folder?.isDirectory()) return false;
  return !((await there("HEAD")) && (await there("objects")) && (await there("refs")));
}

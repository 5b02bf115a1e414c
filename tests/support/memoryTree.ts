import type { RepositoryTree, TreeEntry } from "../../checks/repositoryTree.ts";
import { folderOf, nameOf } from "../../values/path.ts";

/** A repository of texts by path, as a tree. */
export function memoryTree(files: ReadonlyMap<string, string>): RepositoryTree {
  const folders = new Map<string, Map<string, TreeEntry>>();
  for (const path of files.keys()) {
    for (let at = path, kind = "file"; at !== ""; at = folderOf(at), kind = "folder") {
      const entries = folders.get(folderOf(at)) ?? new Map<string, TreeEntry>();
      folders.set(folderOf(at), entries.set(nameOf(at), { name: nameOf(at), kind }));
    }
  }
  return {
    list: (asked) =>
      Promise.resolve(
        new Map(
          asked.flatMap((folder) => {
            const entries = folders.get(folder);
            return entries === undefined ? [] : [[folder, [...entries.values()]] as const];
          }),
        ),
      ),
    read: (asked) =>
      Promise.resolve(
        new Map(
          asked.flatMap((path) => {
            const text = files.get(path);
            return text === undefined ? [] : [[path, Buffer.from(text)] as const];
          }),
        ),
      ),
  };
}

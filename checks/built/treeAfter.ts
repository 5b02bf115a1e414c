import type { SourceEntry, SourceTree } from "../../build/index.ts";
import { folderOf, nameOf } from "../../values/path.ts";

/** A tree with the files that an update writes. What it takes out is still there: the removal guard speaks of that. */
export function treeAfter(tree: SourceTree, written: ReadonlyMap<string, string>): SourceTree {
  const added = entriesOf(written);
  return {
    async list(folders) {
      const there = await tree.list(folders);
      return new Map(
        folders.flatMap((folder) => {
          const [old, fresh] = [there.get(folder), added.get(folder)];
          if (old === undefined && fresh === undefined) return [];
          const kept = (old ?? []).filter(({ name }) => fresh?.has(name) !== true);
          return [[folder, [...kept, ...(fresh?.values() ?? [])]] as const];
        }),
      );
    },
    async read(paths) {
      const old = paths.filter((path) => !written.has(path));
      const contents = new Map(await tree.read(old));
      for (const path of paths) {
        const text = written.get(path);
        if (text !== undefined) contents.set(path, Buffer.from(text));
      }
      return contents;
    },
  };
}

/** What the files put into each folder, the folders on the way among it. */
function entriesOf(written: ReadonlyMap<string, string>): Map<string, Map<string, SourceEntry>> {
  const folders = new Map<string, Map<string, SourceEntry>>();
  for (const path of written.keys()) {
    let kind = "file";
    for (let at = path; at !== ""; at = folderOf(at), kind = "folder") {
      const entries = folders.get(folderOf(at)) ?? new Map<string, SourceEntry>();
      folders.set(folderOf(at), entries);
      // A folder that the tree has too keeps its name; what lies in it is asked for by itself.
      entries.set(nameOf(at), { name: nameOf(at), kind });
    }
  }
  return folders;
}

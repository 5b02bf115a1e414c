import type { SourceEntry, SourceTree } from "../../build/index.ts";
import { folderOf, nameOf } from "../../values/path.ts";

/** A tree with files written and others taken out; both by path from the root. */
export function treeWith(
  tree: SourceTree | undefined,
  written: ReadonlyMap<string, string>,
  removed: ReadonlySet<string>,
): SourceTree {
  const added = new Map<string, Map<string, SourceEntry>>();
  for (const path of written.keys()) {
    for (let at = path, kind = "file"; at !== ""; at = folderOf(at), kind = "folder") {
      const entries = added.get(folderOf(at)) ?? new Map<string, SourceEntry>();
      added.set(folderOf(at), entries.set(nameOf(at), { name: nameOf(at), kind }));
    }
  }
  return {
    async list(folders) {
      const there = (await tree?.list(folders)) ?? new Map<string, readonly SourceEntry[]>();
      const found = folders.map((folder) => {
        const [old, fresh] = [there.get(folder), added.get(folder)];
        if (old === undefined && fresh === undefined) return undefined;
        const inside = folder === "" ? "" : `${folder}/`;
        const kept = (old ?? []).filter(({ name }) => !fresh?.has(name) && !removed.has(inside + name));
        return [folder, [...kept, ...(fresh?.values() ?? [])]] as const;
      });
      return new Map(found.filter((each) => each !== undefined));
    },
    async read(paths) {
      const others = paths.filter((path) => !written.has(path) && !removed.has(path));
      const contents = new Map(await tree?.read(others));
      for (const path of paths) {
        const text = written.get(path);
        if (text !== undefined) contents.set(path, Buffer.from(text));
      }
      return contents;
    },
  };
}

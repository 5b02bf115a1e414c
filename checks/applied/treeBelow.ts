import type { SourceTree } from "../../build/index.ts";
import { fullPath, pathBelow } from "../../values/path.ts";

/** A folder of a tree as a tree of its own, as an artifact that is made of that folder has it. */
export function treeBelow(tree: SourceTree, folder: string): SourceTree {
  if (folder === "") return tree;
  const down = (path: string): string => (path === "" ? folder : fullPath(folder, path));
  const up = (path: string): string => pathBelow(folder, path);
  const from = async <T>(found: Promise<ReadonlyMap<string, T>>): Promise<ReadonlyMap<string, T>> =>
    new Map([...(await found)].map(([path, value]) => [up(path), value] as const));
  return {
    list: (folders) => from(tree.list(folders.map(down))),
    read: (paths) => from(tree.read(paths.map(down))),
  };
}

import type { RepositoryReader } from "./repositoryReader.ts";
import type { TreeEntry } from "./repositoryTree.ts";

/** The repository as it would be with these files in it: path from the root to content. */
export function overlay(reader: RepositoryReader, files: ReadonlyMap<string, string>): RepositoryReader {
  const folders = new Map<string, Map<string, TreeEntry>>();
  for (const path of files.keys()) {
    const parts = path.split("/");
    for (const [depth, name] of parts.entries()) {
      const folder = parts.slice(0, depth).join("/");
      const entries = folders.get(folder) ?? new Map<string, TreeEntry>();
      entries.set(name, { name, kind: depth === parts.length - 1 ? "file" : "folder" });
      folders.set(folder, entries);
    }
  }
  return {
    async list(folder) {
      const there = await reader.list(folder);
      const ours = folders.get(folder);
      if (ours === undefined) return there;
      return [...(there ?? []).filter(({ name }) => !ours.has(name)), ...ours.values()];
    },
    read: async (path) => files.get(path) ?? reader.read(path),
    // Of files that are yet to be written there is no history.
    lastChange: async (path) => (files.has(path) ? undefined : reader.lastChange(path)),
  };
}

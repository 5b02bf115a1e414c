import { createHash } from "node:crypto";
import type { SourceEntry, SourceTree } from "../../build/index.ts";

/**
 * A repository of these files, by path. A text `submodule` stands for one, and a text that begins with `link to` for a
 * symbolic link. `onRead` hears of each file that is read.
 */
export function givenTree(
  files: Readonly<Record<string, string>>,
  onRead: (path: string) => void = () => undefined,
): SourceTree {
  const folders = new Map<string, Map<string, SourceEntry>>([["", new Map()]]);
  for (const [path, content] of Object.entries(files)) {
    const parts = path.split("/");
    for (const [depth, name] of parts.entries()) {
      const folder = parts.slice(0, depth).join("/");
      const entries = folders.get(folder) ?? new Map<string, SourceEntry>();
      folders.set(folder, entries);
      const isLast = depth === parts.length - 1;
      const id = createHash("sha1")
        .update(`blob ${Buffer.byteLength(content)}\0${content}`)
        .digest("hex");
      entries.set(name, isLast ? { name, kind: kindOf(content), id } : { name, kind: "folder" });
    }
  }
  const found = <T>(keys: readonly string[], of: (key: string) => T | undefined): Map<string, T> =>
    new Map(
      keys.flatMap((key) => {
        const value = of(key);
        return value === undefined ? [] : [[key, value] as const];
      }),
    );
  return {
    list: (paths) =>
      Promise.resolve(found(paths, (path) => folders.get(path) && [...folders.get(path)!.values()])),
    read: (paths) =>
      Promise.resolve(
        found(paths, (path) => {
          const content = files[path];
          if (content === undefined || kindOf(content) !== "file") return undefined;
          onRead(path);
          return Buffer.from(content);
        }),
      ),
  };
}

function kindOf(content: string): string {
  if (content === "submodule") return "submodule";
  return content.startsWith("link to") ? "symlink" : "file";
}

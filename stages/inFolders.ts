import { folderOf } from "../values/path.ts";

/** Paths by the folder among some that they lie in, at any depth; those in none are left out. One pass, however many folders. */
export function inFolders<T extends { readonly path: string }>(
  items: readonly T[],
  folders: readonly string[],
): ReadonlyMap<string, readonly T[]> {
  const wanted = new Set(folders);
  const found = new Map<string, T[]>();
  for (const item of items) {
    for (let at = folderOf(item.path); ; at = folderOf(at)) {
      if (wanted.has(at)) {
        const known = found.get(at);
        if (known === undefined) found.set(at, [item]);
        else known.push(item);
      }
      if (at === "") break;
    }
  }
  return found;
}

import type { Snapshot } from "./locate.ts";
import { kindOf, toBytes, toText } from "./tree.ts";

/**
 * A path in a folder that is none of `ours` (from the root); undefined where a folder of ours alone would be left with
 * nothing in it, or is not there. The snapshot holds every folder on the way to what is ours.
 */
export function othersIn(
  { folders }: Snapshot,
  folder: string,
  ours: ReadonlySet<string>,
): string | undefined {
  const look = (at: string): string | undefined => {
    for (const entry of folders.get(at) ?? []) {
      const place = at === "" ? entry.name : `${at}/${entry.name}`;
      // A folder that was not read has nothing of ours.
      const inner = kindOf(entry) === "folder" && folders.has(place);
      const found = inner ? look(place) : ours.has(toText(place)) ? undefined : toText(place);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return look(toBytes(folder));
}

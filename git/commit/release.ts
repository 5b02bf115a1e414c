import { isInside } from "../../values/path.ts";
import { type Asked, followedFolder, ownershipFor, type Tip } from "./asked.ts";
import type { Changes } from "./changes.ts";
import type { Inventory, Recorded } from "./inventory.ts";

/** What became of a folder: `gone` with all that was ours, `kept` since somebody changed a file, or another's. */
export type Released = "gone" | "kept" | { readonly owner: string };

/** Takes out of a folder what its inventory lists, nobody has changed and is not `wanted` elsewhere. */
export function release(
  asked: Asked,
  tip: Tip,
  changes: Changes,
  folder: string,
  wanted: ReadonlySet<string>,
): Released {
  const found = tip.inventories.get(folder);
  if (found === undefined) return "gone";
  if ("fault" in found) return { owner: `nobody, since its inventory cannot be read (${found.fault})` };
  if (ownershipFor(asked, folder, found) === "others") return { owner: found.owner };
  const stays = new Map<string, Recorded>();
  for (const [path, entry] of found.files) {
    if (wanted.has(path) || !isInside(path, reachOf(asked, folder))) continue;
    const isOut = changes.takeAway(path, { blobs: [entry.blob], executable: entry.executable });
    if (!isOut) stays.set(path, entry);
  }
  // What somebody changed stays, and the folder stays ours, so that no other cluster comes to it: unless we go.
  if (stays.size > 0 && asked.remove !== true) {
    changes.putInventory(folder, { ...found, files: stays });
    return "kept";
  }
  changes.takeInventoryAway(folder);
  return "gone";
}

/** Takes out all that is the cluster's, wherever it has been. Returns folders that are somebody else's, with whose. */
export function takeOut(asked: Asked, tip: Tip, changes: Changes): Map<string, string> {
  const { before } = asked;
  const folder = before?.folder ?? followedFolder(asked);
  const notOurs = new Map<string, string>();
  const own = readable(tip.inventories.get(folder));
  if (own === undefined) {
    // Only the state tells: by an older version, or where somebody took the inventory away.
    for (const [path, known] of Object.entries(before?.files ?? {}))
      changes.takeAway(path, { blobs: known.map(({ blob }) => blob), executable: undefined });
    return notOurs;
  }
  for (const one of [folder, ...own.left]) {
    const became = release(asked, tip, changes, one, new Set());
    if (typeof became === "object") notOurs.set(one, became.owner);
  }
  return notOurs;
}

/** How far the inventory of a folder is believed: not beyond the folder that the cluster has or had. */
function reachOf({ directory, followed = "" }: Asked, folder: string): string {
  if (isInside(`${folder}/`, directory)) return directory;
  return followed !== "" && folder.endsWith(`/${followed}`) ? folder.slice(0, -followed.length - 1) : folder;
}

function readable(found: ReturnType<Tip["inventories"]["get"]>): Inventory | undefined {
  return found === undefined || "fault" in found ? undefined : found;
}

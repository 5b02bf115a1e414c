import { type Compare, compareText, totally } from "../../values/compareText.ts";
import type { Start } from "./createBranch.ts";
import { type LoadTrees, locate, type Snapshot } from "../plumbing/locate.ts";
import type { TooLarge } from "../plumbing/objects.ts";
import { kindOf, objectId } from "../plumbing/tree.ts";
import { toBytes } from "../words/bytes.ts";
import type { ObjectId } from "../words/types.ts";
import {
  formatInventory,
  type Inventory,
  inventoryPath,
  parseInventory,
  type Unreadable,
} from "./inventory.ts";
import { type Asked, followedFolder, foldersOf, nothingLeft, pathsOf } from "./asked.ts";
import { planWrite, type WritePlan } from "./plan.ts";

/** A request to plan, and what its contents mean. */
export interface ToPlan {
  readonly asked: Asked;
  readonly compare?: Compare | undefined;
}

/** What a plan reads: objects by their ids. */
export interface Source {
  readonly loadTrees: LoadTrees;
  readBlobs(ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, Buffer | TooLarge>>;
  /** Paths whose last change, among the newest commits, was a revert. */
  reverted(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Plans requests on one tip. Reads what they need of it in as few fetches as there are levels of folders, however many. */
export async function planOnTip<T extends ToPlan>(
  source: Source,
  tip: Pick<Start, "tree">,
  all: readonly T[],
): Promise<ReadonlyMap<T, WritePlan>> {
  const load: LoadTrees = (ids) => source.loadTrees(ids);
  const asked = all.map((one) => one.asked);
  const paths = asked.flatMap(pathsOf);
  const first = await locate(tip.tree, paths, load);
  const inventories = await readInventories(source, tip.tree, asked, first);
  const listed = [...inventories].flatMap(([folder, one]) =>
    ["fault" in one ? [] : [...one.files.keys()], inventoryPath(folder)].flat(),
  );
  const left = await foldersBelow(tip.tree, asked.flatMap(movesFrom), load);
  const here = await locate(tip.tree, [...paths, ...listed], load);
  const snapshot = { ...here, folders: new Map([...left, ...here.folders]) };
  const reverted = await revertedOf(source, asked, snapshot);
  const plan = (contents: ReadonlyMap<ObjectId, Buffer | TooLarge>): Map<T, WritePlan> =>
    new Map(
      all.map((one) => {
        const there = { snapshot, inventories, contents, reverted: reverted.has(one.asked) };
        return [one, planWrite(one.asked, there, totally(one.compare ?? compareText))];
      }),
    );
  const plans = plan(new Map());
  const unread = new Set([...plans.values()].flatMap((one) => one.unread));
  return unread.size === 0 ? plans : plan(await source.readBlobs([...unread]));
}

/** The inventories of all folders that the requests have to do with. Read only where the saved state does not say as much. */
async function readInventories(
  source: Source,
  tree: ObjectId,
  asked: readonly Asked[],
  { at }: Snapshot,
): Promise<Map<string, Inventory | Unreadable>> {
  const found = new Map<string, Inventory | Unreadable>();
  let [places, folders] = [at, new Set(asked.flatMap(foldersOf))];
  const expected = new Map(
    asked.flatMap(({ before }) => (before === undefined ? [] : [[before.folder, before]])),
  );
  while (folders.size > 0) {
    const toRead = new Map<string, ObjectId>();
    for (const folder of folders) {
      const entry = places.get(inventoryPath(folder));
      if (entry === undefined || "blockedBy" in entry) continue;
      if (kindOf(entry) !== "file") found.set(folder, { fault: `it is a ${kindOf(entry)}` });
      else {
        const saved = savedInventory(expected.get(folder), entry.id);
        if (saved === undefined) toRead.set(folder, entry.id);
        else found.set(folder, saved);
      }
    }
    const contents = await source.readBlobs([...new Set(toRead.values())]);
    for (const [folder, id] of toRead) {
      const content = contents.get(id);
      const isText = content !== undefined && !("tooLarge" in content);
      found.set(folder, isText ? parseInventory(content.toString("utf8")) : { fault: "it is too large" });
    }
    // What is taken out with the rest, since the cluster goes, and what must outlive a folder that is released.
    const going = asked.filter(({ remove, released = [] }) => remove === true || released.length > 0);
    const more = going.flatMap((one) => {
      const own = found.get(one.before?.folder ?? followedFolder(one));
      return own === undefined || "fault" in own ? [] : own.left;
    });
    folders = new Set(more.filter((folder) => !found.has(folder) && !folders.has(folder)));
    if (folders.size > 0)
      places = (await locate(tree, [...folders].map(inventoryPath), (ids) => source.loadTrees(ids))).at;
  }
  return found;
}

/** The inventory as the state remembers it, where that is the very one on the tip: then it need not be fetched. */
function savedInventory(before: Asked["before"], id: ObjectId): Inventory | undefined {
  const { owner, files = {}, left = [] } = before ?? {};
  if (owner === undefined) return undefined;
  const entries = Object.entries(files).flatMap(([path, known]) => {
    const [{ blob, serial } = {}] = known.length === 1 ? known : [];
    return blob === undefined || serial === undefined
      ? []
      : [[path, { blob, serial, executable: false }] as const];
  });
  const inventory = { owner, left, files: new Map(entries) };
  const text = Buffer.from(formatInventory(inventory), "utf8");
  return objectId("blob", text, id.length) === id ? inventory : undefined;
}

function movesFrom(asked: Asked): string[] {
  const from = asked.before?.folder;
  return from === undefined || from === followedFolder(asked) ? [] : [from, followedFolder(asked)];
}

/** The entries of some folders and of all below them. */
async function foldersBelow(
  root: ObjectId,
  folders: readonly string[],
  load: LoadTrees,
): Promise<Snapshot["folders"]> {
  const found = new Map<string, NonNullable<ReturnType<Snapshot["folders"]["get"]>>>();
  // Looking for a name below a folder reads the folder, and no file is called "/".
  let level = folders.map((folder) => (folder === "" ? "" : `${folder}/`));
  const { folders: tops } = await locate(root, level, load);
  let next = new Map(
    folders.flatMap((folder) => {
      const bytes = toBytes(folder);
      const entries = tops.get(bytes);
      return entries === undefined ? [] : [[bytes, entries] as const];
    }),
  );
  level = [];
  while (next.size > 0) {
    for (const [folder, entries] of next) found.set(folder, entries);
    const inner = [...next].flatMap(([folder, entries]) =>
      entries.flatMap((entry) =>
        kindOf(entry) === "folder"
          ? [[folder === "" ? entry.name : `${folder}/${entry.name}`, entry.id] as const]
          : [],
      ),
    );
    const trees =
      inner.length === 0 ? new Map<string, never>() : await load([...new Set(inner.map(([, id]) => id))]);
    next = new Map(inner.map(([folder, id]) => [folder, trees.get(id) ?? []]));
  }
  return found;
}

/** Those whose files were all taken away by a revert. Rarely asked: only then is the history looked at. */
async function revertedOf(
  source: Source,
  all: readonly Asked[],
  snapshot: Snapshot,
): Promise<ReadonlySet<Asked>> {
  const filesOf = ({ before }: Asked): string[] => Object.keys(before?.files ?? {});
  const gone = all.filter(
    (asked) =>
      filesOf(asked).length > 0 &&
      asked.remove !== true &&
      asked.drift !== "restore" &&
      nothingLeft(asked, snapshot),
  );
  if (gone.length === 0) return new Set();
  const reverted = await source.reverted(gone.flatMap(filesOf));
  return new Set(gone.filter((asked) => filesOf(asked).some((path) => reverted.has(path))));
}

import { createHash } from "node:crypto";
import {
  type Inventory,
  inventoryPath,
  parseInventory,
  type Unreadable,
} from "../../git/commit/inventory.ts";
import { type Asked, type Tip } from "../../git/commit/asked.ts";
import { planWrite, type WritePlan } from "../../git/commit/plan.ts";
import type { Entry } from "../../git/plumbing/tree.ts";

/** Path from the root to content: a branch's tip, as the plan sees it without git. */
export type Files = ReadonlyMap<string, string>;

const ids = new Map<string, string>();

/** Git's id of a blob. */
export function blobOf(content: string): string {
  let id = ids.get(content);
  if (id === undefined) {
    const bytes = Buffer.from(content);
    id = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    ids.set(content, id);
  }
  return id;
}

/** A tip that holds these files; everything is known of it. */
export function tipOf(files: Files): Tip {
  const at = new Map<string, Entry>();
  const folders = new Map<string, Map<string, Entry>>([["", new Map()]]);
  const contents = new Map<string, Buffer>();
  const inventories = new Map<string, Inventory | Unreadable>();
  for (const [path, content] of files) {
    const parts = path.split("/");
    const entry = { mode: "100644", name: parts.at(-1) ?? "", id: blobOf(content) };
    at.set(path, entry);
    contents.set(entry.id, Buffer.from(content));
    for (let depth = parts.length - 1, inner: Entry = entry; depth >= 0; depth -= 1) {
      const folder = parts.slice(0, depth).join("/");
      const entries = folders.get(folder) ?? new Map<string, Entry>();
      folders.set(folder, entries.set(inner.name, inner));
      inner = { mode: "40000", name: parts[depth - 1] ?? "", id: "1".repeat(40) };
    }
    const folder = parts.slice(0, -1).join("/");
    if (path === inventoryPath(folder)) inventories.set(folder, parsed(content));
  }
  const lists = new Map([...folders].map(([folder, entries]) => [folder, [...entries.values()]]));
  const snapshot = { root: "0".repeat(40), at, folders: lists };
  return { snapshot, inventories, contents, reverted: false };
}

const texts = new Map<string, Inventory | Unreadable>();

function parsed(text: string): Inventory | Unreadable {
  let found = texts.get(text);
  if (found === undefined) texts.set(text, (found = parseInventory(text)));
  return found;
}

/** The real plan on such a tip. A history that took all away was no revert, unless it is said. */
export function planOn(files: Files, asked: Asked, reverted = false): WritePlan {
  return planWrite(asked, { ...tipOf(files), reverted });
}

/** The files after a plan was pushed. */
export function applied(files: Files, { changes, contents }: WritePlan): Files {
  const next = new Map(files);
  for (const [path, blob] of changes) {
    if (blob === null) next.delete(path);
    else next.set(path, contents.get(path) ?? "");
  }
  return next;
}

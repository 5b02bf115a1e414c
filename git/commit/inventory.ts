import { checkPath } from "../words/rules.ts";
import { isExecutable } from "../plumbing/tree.ts";
import type { Entry } from "../plumbing/tree.ts";
import type { ObjectId } from "../words/types.ts";

/** Name of the inventory in the folder that a cluster follows: Flux takes files that end in .yaml and .yml only. */
export const inventoryName = ".arcflux-inventory";

/** One file as Arcflux left it. */
export interface Recorded {
  readonly blob: ObjectId;
  readonly executable: boolean;
  /** Serial of the write that last changed it. */
  readonly serial: number;
  /** What a rollback took back here: not to be written again before the fleet file says something else. */
  readonly rolledBack?: ObjectId | undefined;
}

/** Whose a folder is, and what was written for it: lies beside the files, and changes in the same commit. */
export interface Inventory {
  /** Project, stack and cluster, such as `arcflux/prod/edge-0`. */
  readonly owner: string;
  /** Folders that the cluster has left and that nobody has released yet, from the root. */
  readonly left: readonly string[];
  /** By path from the root: files of the cluster lie outside this folder too. */
  readonly files: ReadonlyMap<string, Recorded>;
}

/** The inventory of a folder, from the root. */
export function inventoryPath(folder: string): string {
  return folder === "" ? inventoryName : `${folder}/${inventoryName}`;
}

/** The newest write that a folder tells of; 0 without any. */
export function highestSerial({ files }: Pick<Inventory, "files">): number {
  return [...files.values()].reduce((highest, { serial }) => Math.max(highest, serial), 0);
}

/** What a file is recorded as. */
export function recordOf(entry: Entry, serial: number): Recorded {
  return { blob: entry.id, executable: isExecutable(entry), serial };
}

const head = "# Whose files these are, by Arcflux. Flux does not read this file. Do not edit it.";

/**
 * The text of an inventory. Laid out for git: sorted, a blank line between any two things, and nothing that every write
 * changes, so that a revert, a cherry-pick or a merge about one file does not meet one about its neighbour.
 */
export function formatInventory({ owner, left, files }: Inventory): string {
  const parts = [
    `${head}\nowner ${owner}`,
    ...left.toSorted().map((folder) => `left /${folder}`),
    ...[...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, file]) => `/${path}\n  ${line(file)}`),
  ];
  return `${parts.join("\n\n")}\n`;
}

function line({ blob, executable, serial, rolledBack }: Recorded): string {
  const back = rolledBack === undefined ? "" : ` not ${rolledBack}`;
  return `${executable ? "100755" : "100644"} ${blob} ${serial}${back}`;
}

const record = /^ {2}(100644|100755) ([0-9a-f]{40}|[0-9a-f]{64}) ([1-9]\d{0,14})(?: not ([0-9a-f]{40,64}))?$/;

/** An inventory that cannot be read: nobody can tell whose the folder is, so nobody may write to it. */
export interface Unreadable {
  readonly fault: string;
}

/** Reads the text of an inventory. */
export function parseInventory(text: string): Inventory | Unreadable {
  const lines = text.split(/\r?\n/);
  let owner: string | undefined;
  const left: string[] = [];
  const files = new Map<string, Recorded>();
  for (let at = 0; at < lines.length; at += 1) {
    const one = lines[at] ?? "";
    if (one === "" || one.startsWith("#")) continue;
    const [, word, value = ""] = /^(owner |left \/|\/)(.*)$/s.exec(one) ?? [];
    if (word === "owner " && owner === undefined && /^[^/]+\/[^/]+\/./.test(value)) owner = value;
    else if (word === "left /" && (value === "" || isPath(value))) left.push(value);
    else if (word === "/" && isPath(value) && !files.has(value)) {
      const [, mode, blob = "", serial, rolledBack] = record.exec(lines[(at += 1)] ?? "") ?? [];
      if (serial === undefined) return unlike(at);
      files.set(value, { blob, executable: mode === "100755", serial: Number(serial), rolledBack });
    } else return unlike(at);
  }
  if (owner === undefined) return { fault: "it names no owner" };
  return { owner, left: [...new Set(left)], files };
}

function unlike(index: number): Unreadable {
  return { fault: `line ${index + 1} is not as Arcflux writes it` };
}

function isPath(path: string): boolean {
  return checkPath(path).length === 0;
}

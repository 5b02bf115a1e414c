import { createHash } from "node:crypto";
import type { ObjectId } from "../words/types.ts";

/** One line of a tree. Names are bytes, held one a character (latin1), so that any name survives unchanged. */
export interface Entry {
  /** As stored, such as `100644` or `40000`. */
  readonly mode: string;
  readonly name: string;
  readonly id: ObjectId;
}

export const fileMode = "100644";
export const folderMode = "40000";

const kinds: Readonly<Record<number, string>> = {
  0o040000: "folder",
  0o100000: "file",
  0o120000: "symlink",
  0o160000: "submodule",
};

/** What an entry is: `folder`, `file`, `symlink`, `submodule`. */
export function kindOf(entry: Entry): string {
  return kinds[parseInt(entry.mode, 8) & 0o170000] ?? `entry of mode ${entry.mode}`;
}

/** Whether a file has the mode of a program. */
export function isExecutable(entry: Entry): boolean {
  return kindOf(entry) === "file" && (parseInt(entry.mode, 8) & 0o111) !== 0;
}

/** Entries of a raw tree object. Throws a RangeError where the bytes are no tree. */
export function parseTree(raw: Buffer, idBytes: number): Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  while (at < raw.length) {
    const space = raw.indexOf(0x20, at);
    const nul = raw.indexOf(0, space);
    const end = nul + 1 + idBytes;
    if (space < 0 || nul < 0 || end > raw.length) throw new RangeError("not a tree object");
    entries.push({
      mode: raw.toString("latin1", at, space),
      name: raw.toString("latin1", space + 1, nul),
      id: raw.toString("hex", nul + 1, end),
    });
    at = end;
  }
  return entries;
}

/** The raw tree object, in git's order: by bytes, a folder as if its name ended in `/`. */
export function formatTree(entries: readonly Entry[]): Buffer {
  const sortKey = (entry: Entry): string => (kindOf(entry) === "folder" ? `${entry.name}/` : entry.name);
  const keyed = entries.map((entry) => ({ key: sortKey(entry), entry }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return Buffer.concat(
    keyed.map(({ entry }) =>
      Buffer.concat([Buffer.from(`${entry.mode} ${entry.name}\0`, "latin1"), Buffer.from(entry.id, "hex")]),
    ),
  );
}

/** Id of an object, in the format of a repository whose ids have that many hex digits. */
export function objectId(type: "blob" | "tree", content: Buffer, digits: number): ObjectId {
  const hash = createHash(digits === 64 ? "sha256" : "sha1");
  return hash.update(`${type} ${content.length}\0`).update(content).digest("hex");
}

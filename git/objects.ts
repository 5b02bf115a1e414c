import type { ObjectId } from "./types.ts";

/** An object as `git cat-file --batch` prints it. */
export interface StoredObject {
  readonly id: ObjectId;
  readonly type: string;
  readonly content: Buffer;
}

/** Reads the output of `git cat-file --batch` for the names asked, in that order; a missing object is absent. */
export function parseObjects(output: Buffer, names: readonly string[]): Map<string, StoredObject> {
  const found = new Map<string, StoredObject>();
  let at = 0;
  for (const name of names) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const header = /^([0-9a-f]+) (\w+) (\d+)$/.exec(output.toString("latin1", at, end));
    at = end + 1;
    if (header === null) continue;
    const [, id = "", type = "", size = "0"] = header;
    const content = output.subarray(at, at + Number(size));
    // Output that ends early holds no object.
    if (content.length === Number(size)) found.set(name, { id, type, content });
    at += Number(size) + 1;
  }
  return found;
}

/** How many bytes the output for the names asked has at least; 0 when all of it is there. */
export function bytesNeeded(output: Buffer, names: readonly string[]): number {
  let at = 0;
  for (let name = 0; name < names.length; name += 1) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) return output.length + 1;
    const size = /^[0-9a-f]+ \w+ (\d+)$/.exec(output.toString("latin1", at, end))?.[1];
    at = size === undefined ? end + 1 : end + 1 + Number(size) + 1;
    if (at > output.length) return at;
  }
  return 0;
}

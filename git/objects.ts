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

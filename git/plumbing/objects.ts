import type { ObjectId } from "../words/types.ts";

/** An object as `git cat-file --batch` prints it. */
export interface StoredObject {
  readonly id: ObjectId;
  readonly type: string;
  readonly content: Buffer;
}

/** A blob that is not read into memory, with its size in bytes. */
export interface TooLarge {
  readonly tooLarge: number;
}

/** How much of what others wrote is read into memory, in bytes: of one blob, and of all that are asked for at once. */
export interface ReadLimit {
  readonly each: number;
  readonly all: number;
}

/** Far more than what Kubernetes takes for one object (1.5 MB with all its fields). */
export const comparable: ReadLimit = { each: 2 << 20, all: 64 << 20 };

/**
 * Splits blobs by the output of `git cat-file --batch-check`: those to read, the small ones first as long as all fit, and
 * those that are too large. What is missing counts as one to read, so that reading says so.
 */
export function bySize(
  output: string,
  ids: readonly ObjectId[],
  { each, all }: ReadLimit,
): { readonly read: ObjectId[]; readonly tooLarge: ReadonlyMap<ObjectId, TooLarge> } {
  const sizes = new Map([...output.matchAll(/^([0-9a-f]+) blob (\d+)$/gm)].map(([, id, size]) => [id, size]));
  const sized = ids.map((id) => ({ id, size: Number(sizes.get(id) ?? 0) })).sort((a, b) => a.size - b.size);
  const read: ObjectId[] = [];
  const tooLarge = new Map<ObjectId, TooLarge>();
  let sum = 0;
  for (const { id, size } of sized) {
    if (size > each || (sum += size) > all) tooLarge.set(id, { tooLarge: size });
    else read.push(id);
  }
  return { read, tooLarge };
}

/** A size for people. */
export function sizeText(bytes: number): string {
  return bytes < 10 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round(bytes / (1 << 20))} MiB`;
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

import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownName } from "./processName.ts";
import type { ObjectId, WriteRequest } from "./types.ts";

/** Path below the directory to the blobs that were about to be pushed there, the oldest first. */
type Notes = Record<string, ObjectId[]>;

const longest = 8;
let count = 0;

/**
 * What this machine pushed for an owner and may not have got into its saved state: noted before each push, so that
 * after a kill the next run knows its own files even if the fleet has changed since. Best effort: without a folder to
 * write to nothing is noted, and such a file is then a conflict.
 */
export class WriteNotes {
  readonly #file: string | undefined;
  readonly #notes: Notes;
  readonly #owned: WriteRequest["owned"];

  private constructor(file: string | undefined, notes: Notes, owned: WriteRequest["owned"]) {
    this.#file = file;
    this.#notes = notes;
    this.#owned = owned;
  }

  /** Reads the notes of the request's owner and directory below `folder`. */
  static async read(folder: string, { owner, directory, owned }: WriteRequest): Promise<WriteNotes> {
    if (owner === undefined) return new WriteNotes(undefined, {}, owned);
    const key = createHash("sha256").update(`${owner}\n${directory}`).digest("hex").slice(0, 24);
    const file = join(folder, "notes", `${key}.json`);
    const notes = parse(await readFile(file, "utf8").catch(() => "{}"));
    for (const [path, blobs] of Object.entries(notes)) {
      // What the saved state names was saved: only what came after it can have been lost.
      const saved = blobs.lastIndexOf(owned[path] ?? "");
      notes[path] = blobs.slice(saved + 1);
    }
    return new WriteNotes(file, notes, owned);
  }

  /** Blobs that may be ours at a path, though the saved state does not know them. */
  readonly at = (path: string): readonly ObjectId[] => this.#notes[path] ?? [];

  /** Notes what is about to be pushed. */
  async add(blobs: Readonly<Record<string, ObjectId>>): Promise<void> {
    if (this.#file === undefined) return;
    // A path that is to go away keeps its notes until it is gone.
    const notes = Object.fromEntries(
      Object.entries(this.#notes).filter(([path, old]) => old.length > 0 && Object.hasOwn(this.#owned, path)),
    );
    for (const [path, blob] of Object.entries(blobs)) {
      notes[path] = [...this.at(path).filter((other) => other !== blob), blob].slice(-longest);
    }
    const fresh = `${this.#file}.${ownName}.${(count += 1)}`;
    try {
      await mkdir(join(this.#file, ".."), { recursive: true });
      if (Object.keys(notes).length === 0) await rm(this.#file, { force: true });
      else {
        await writeFile(fresh, JSON.stringify(notes));
        await rename(fresh, this.#file);
      }
    } catch {
      await rm(fresh, { force: true }).catch(() => undefined);
    }
  }
}

function parse(text: string): Notes {
  try {
    const parsed = JSON.parse(text) as unknown;
    if (typeof parsed !== "object" || parsed === null) return {};
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, ObjectId[]] => Array.isArray(entry[1])),
    );
  } catch {
    return {};
  }
}

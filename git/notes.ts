import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownName } from "./processName.ts";
import type { ObjectId, WriteRequest } from "./types.ts";

/** What was about to be pushed while the saved state was one and the same. */
interface Notes {
  /** The commit that this state names; empty before the first. With another one, the state has moved on. */
  readonly after: string;
  /** Which of the owner's writers it was. */
  readonly by: string;
  /** Path below the directory to the blobs that were about to be there, the oldest first. */
  readonly blobs: Readonly<Record<string, readonly ObjectId[]>>;
}

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
  readonly #by: string;
  readonly #owned: WriteRequest["owned"];

  private constructor(file: string | undefined, notes: Notes, { by = "", owned }: WriteRequest) {
    this.#file = file;
    this.#notes = notes;
    this.#by = by;
    this.#owned = owned;
  }

  /** Reads the notes of the request's owner and directory below `folder`. */
  static async read(folder: string, request: WriteRequest): Promise<WriteNotes> {
    const { owner, directory, owned, after = "", by = "" } = request;
    const none = { after, by, blobs: {} };
    if (owner === undefined) return new WriteNotes(undefined, none, request);
    const key = createHash("sha256").update(`${owner}\n${directory}`).digest("hex").slice(0, 24);
    const file = join(folder, "notes", `${key}.json`);
    const notes = parse(await readFile(file, "utf8").catch(() => "{}"));
    // Another run has saved a state since, perhaps on another machine: what was noted before is no longer the last word,
    // and whoever went back to it by a revert meant it.
    if (notes.after !== after) return new WriteNotes(file, none, request);
    // What the saved state names was saved: only what came after it can have been lost.
    const unsaved = Object.entries(notes.blobs).map(
      ([path, blobs]) => [path, blobs.slice(blobs.lastIndexOf(owned[path] ?? "") + 1)] as const,
    );
    return new WriteNotes(file, { ...notes, blobs: Object.fromEntries(unsaved) }, request);
  }

  /** Blobs that may be ours at a path, though the saved state does not know them. */
  readonly at = (path: string): readonly ObjectId[] => this.#notes.blobs[path] ?? [];

  /**
   * Paths that may hold a file which this very writer left and its saved state does not know. What another one of the same
   * owner noted is none of them: it may want those files still.
   */
  get unknown(): readonly string[] {
    if (this.#by === "" || this.#notes.by !== this.#by) return [];
    return Object.keys(this.#notes.blobs).filter((path) => !Object.hasOwn(this.#owned, path));
  }

  /** Notes what is about to be pushed. */
  async add(wanted: Readonly<Record<string, ObjectId>>): Promise<void> {
    if (this.#file === undefined) return;
    // A path that is to go away keeps its notes: this push may be lost as well.
    const mine = this.#notes.by === this.#by ? this.#notes.blobs : {};
    const blobs = Object.fromEntries(Object.entries(mine).filter(([, old]) => old.length > 0));
    for (const [path, blob] of Object.entries(wanted)) {
      blobs[path] = [...this.at(path).filter((other) => other !== blob), blob].slice(-longest);
    }
    const fresh = `${this.#file}.${ownName}.${(count += 1)}`;
    try {
      await mkdir(join(this.#file, ".."), { recursive: true });
      if (Object.keys(blobs).length === 0) await rm(this.#file, { force: true });
      else {
        await writeFile(fresh, JSON.stringify({ after: this.#notes.after, by: this.#by, blobs }));
        await rename(fresh, this.#file);
      }
    } catch {
      await rm(fresh, { force: true }).catch(() => undefined);
    }
  }
}

/** Anything but notes as they are written counts as none. */
function parse(text: string): Notes {
  const none = { after: "", by: "", blobs: {} };
  try {
    const { after, by, blobs } = JSON.parse(text) as Record<keyof Notes, unknown>;
    if (typeof after !== "string" || typeof by !== "string") return none;
    if (typeof blobs !== "object" || blobs === null) return none;
    const lists = Object.entries(blobs).filter((entry): entry is [string, ObjectId[]] =>
      Array.isArray(entry[1]),
    );
    return { after, by, blobs: Object.fromEntries(lists) };
  } catch {
    return none;
  }
}

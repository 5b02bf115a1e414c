import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { branchKey } from "../words/branchKey.ts";
import { gitCacheFolder } from "../plumbing/cacheFolder.ts";
import { ownName } from "../plumbing/processName.ts";
import type { Branch, GitContext, ObjectId, WriteRequest } from "../words/types.ts";

/** What was about to be pushed while the saved state was one and the same. */
interface Notes {
  /** The commit that this state names; empty before the first. With another one, the state has moved on. */
  readonly after: string;
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
  readonly #owned: WriteRequest["owned"];

  private constructor(file: string | undefined, notes: Notes, owned: WriteRequest["owned"]) {
    this.#file = file;
    this.#notes = notes;
    this.#owned = owned;
  }

  /** Reads the notes of the request's owner and directory below `folder`. */
  static async read(
    folder: string,
    { owner, directory, owned, after = "" }: WriteRequest,
  ): Promise<WriteNotes> {
    const none = { after, blobs: {} };
    if (owner === undefined) return new WriteNotes(undefined, none, owned);
    const file = fileFor(folder, owner, directory);
    const notes = parse(await readFile(file, "utf8").catch(() => "{}"));
    // Another run has saved a state since, perhaps on another machine: what was noted before is no longer the last word,
    // and whoever went back to it by a revert meant it.
    if (notes.after !== after) return new WriteNotes(file, none, owned);
    // What the saved state names was saved: only what came after it can have been lost.
    const unsaved = Object.entries(notes.blobs).map(
      ([path, blobs]) => [path, blobs.slice(blobs.lastIndexOf(owned[path] ?? "") + 1)] as const,
    );
    return new WriteNotes(file, { after, blobs: Object.fromEntries(unsaved) }, owned);
  }

  /** Blobs that may be ours at a path, though the saved state does not know them. */
  readonly at = (path: string): readonly ObjectId[] => this.#notes.blobs[path] ?? [];

  /** Paths that may hold a file of ours which the saved state does not know. */
  get unknown(): readonly string[] {
    return Object.keys(this.#notes.blobs).filter((path) => !Object.hasOwn(this.#owned, path));
  }

  /** Notes what is about to be pushed. */
  async add(wanted: Readonly<Record<string, ObjectId>>): Promise<void> {
    if (this.#file === undefined) return;
    // A path that is to go away keeps its notes: this push may be lost as well.
    const blobs = Object.fromEntries(Object.entries(this.#notes.blobs).filter(([, old]) => old.length > 0));
    for (const [path, blob] of Object.entries(wanted)) {
      blobs[path] = [...this.at(path).filter((other) => other !== blob), blob].slice(-longest);
    }
    const fresh = `${this.#file}.${ownName}.${(count += 1)}`;
    try {
      await mkdir(join(this.#file, ".."), { recursive: true });
      if (Object.keys(blobs).length === 0) await rm(this.#file, { force: true });
      else {
        await writeFile(fresh, JSON.stringify({ after: this.#notes.after, blobs }));
        await rename(fresh, this.#file);
      }
    } catch {
      await rm(fresh, { force: true }).catch(() => undefined);
    }
  }
}

function fileFor(folder: string, owner: string, directory: string): string {
  const key = createHash("sha256").update(`${owner}\n${directory}`).digest("hex").slice(0, 24);
  return join(folder, "notes", `${key}.json`);
}

/** Forgets what this machine noted for an owner that gives its files up: from then on they are somebody else's. */
export async function forgetNotes(
  { owner, directory, ...branch }: Branch & { readonly owner: string; readonly directory: string },
  { env, cacheRoot }: Pick<GitContext, "env" | "cacheRoot">,
): Promise<void> {
  const folder = join(cacheRoot ?? gitCacheFolder(env), branchKey(branch));
  await rm(fileFor(folder, owner, directory), { force: true }).catch(() => undefined);
}

/** Anything but notes as they are written counts as none. */
function parse(text: string): Notes {
  const none = { after: "", blobs: {} };
  try {
    const { after, blobs } = JSON.parse(text) as { after?: unknown; blobs?: unknown };
    if (typeof after !== "string" || typeof blobs !== "object" || blobs === null) return none;
    const lists = Object.entries(blobs).filter((entry): entry is [string, ObjectId[]] =>
      Array.isArray(entry[1]),
    );
    return { after, blobs: Object.fromEntries(lists) };
  } catch {
    return none;
  }
}

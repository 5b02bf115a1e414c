import { toBytes, toText } from "../words/bytes.ts";
import { lastChanges } from "./history.ts";
import { locate } from "./locate.ts";
import { missingBranch } from "./missingBranch.ts";
import { sizeText } from "./objects.ts";
import type { ReadLimit } from "./objects.ts";
import type { Scratch } from "./scratch.ts";
import { openSession } from "../access/session.ts";
import { kindOf } from "./tree.ts";
import { withScratch } from "./withScratch.ts";
import type { Branch, GitContext, ObjectId } from "../words/types.ts";

/** Of files that are read for what they say. */
const readable: ReadLimit = { each: 16 << 20, all: 256 << 20 };

/** One thing in a folder. `kind` is `folder`, `file`, `symlink`, `submodule` or, for what git does not name, another word. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: string;
  /** Git object of what stands there. */
  readonly id: ObjectId;
}

/** The newest commit of a branch, read folder by folder. What was read once is not fetched again. */
export interface TreeReader {
  readonly commit: ObjectId;
  /** Entries of folders, `""` being the root. A folder that is not there is absent. One fetch for each level. */
  list(folders: readonly string[]): Promise<ReadonlyMap<string, readonly TreeEntry[]>>;
  /** Contents of files; of one that is too large, bytes that are not text. A path that is no file is absent. One fetch for all. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** Clusters that files were last written for, by path; absent where no commit of Arcflux among the newest ones tells. */
  writtenFor(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * Hands the newest commit of a branch to `use`, which may be called again where the server cannot serve a way of reading.
 * Nothing is written, and no credential is asked for. Rejects with GitError: `missingBranch` where there is no such
 * branch, `unreachable`, `authentication` and so on where there is no way to it. `folders`: see withScratch.
 */
export async function withTree<T>(
  branch: Branch,
  context: GitContext,
  use: (tree: TreeReader) => Promise<T>,
  how: { readonly folders?: "needed" | "all" } = {},
): Promise<T> {
  const session = await openSession(branch.url, context);
  const read = async (scratch: Scratch): Promise<T> => {
    const tip = await scratch.fetchTip(branch.branch);
    if (tip === undefined) throw await missingBranch(scratch, branch);
    const find = (paths: readonly string[]): ReturnType<typeof locate> =>
      locate(tip.tree, paths, scratch.loadTrees);
    return use({
      commit: tip.commit,
      async list(folders) {
        // Looking for a name below a folder reads the folder, and no file is called "/".
        const { folders: found } = await find(folders.map((folder) => (folder === "" ? "" : `${folder}/`)));
        return new Map(
          folders.flatMap((folder) => {
            const entries = found.get(toBytes(folder));
            if (entries === undefined) return [];
            return [
              [
                folder,
                entries.map((entry) => ({ name: toText(entry.name), kind: kindOf(entry), id: entry.id })),
              ] as const,
            ];
          }),
        );
      },
      async read(paths) {
        const { at } = await find(paths);
        const ids = new Map<string, ObjectId>();
        for (const path of paths) {
          const entry = at.get(path);
          if (entry !== undefined && !("blockedBy" in entry) && kindOf(entry) === "file")
            ids.set(path, entry.id);
        }
        const blobs = await scratch.readBlobs([...new Set(ids.values())], readable);
        return new Map(
          [...ids].map(([path, id]) => {
            const content = blobs.get(id) ?? { tooLarge: 0 };
            return [path, "tooLarge" in content ? notRead(content.tooLarge) : content] as const;
          }),
        );
      },
      async writtenFor(paths) {
        const changes = await lastChanges(scratch, branch.branch, paths);
        return new Map(
          [...changes].flatMap(([path, { cluster }]) => (cluster === undefined ? [] : [[path, cluster]])),
        );
      },
    });
  };
  return withScratch(session, read, how);
}

/** In place of a file that is too large: nobody takes it for text, so one file's fault stays that file's. */
function notRead(size: number): Buffer {
  return Buffer.from(`\0(${sizeText(size)}, too large to be read)`);
}

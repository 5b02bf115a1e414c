import { fetchTreesArgv, readObjectsArgv } from "./argv.ts";
import { locate } from "./locate.ts";
import { missingBranch } from "./missingBranch.ts";
import { parseObjects } from "./objects.ts";
import { classifyFailure } from "./outcome.ts";
import type { Scratch } from "./scratch.ts";
import { openSession } from "./session.ts";
import { needsAnotherTier, Unsupported } from "./tier.ts";
import { kindOf, toBytes, toText } from "./tree.ts";
import { withScratch } from "./withScratch.ts";
import type { Branch, GitContext, ObjectId } from "./types.ts";

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
  /** Contents of files. A path that is no file is absent. One fetch for all. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
}

/**
 * Hands the newest commit of a branch to `use`, which may be called again where the server cannot serve a way of reading.
 * Nothing is written, and no credential is asked for. Rejects with GitError: `missingBranch` where there is no such
 * branch, `unreachable`, `authentication` and so on where there is no way to it.
 */
export async function withTree<T>(
  branch: Branch,
  context: GitContext,
  use: (tree: TreeReader) => Promise<T>,
): Promise<T> {
  const session = await openSession(branch.url, context);
  return withScratch(session, async (scratch) => {
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
        const blobs = await readBlobs(scratch, [...new Set(ids.values())]);
        return new Map([...ids].map(([path, id]) => [path, blobs.get(id)!] as const));
      },
    });
  });
}

/** Contents by id, fetched where they are not here yet. */
async function readBlobs(scratch: Scratch, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, Buffer>> {
  if (ids.length === 0) return new Map();
  // Where the first fetch brought everything, nothing more may be to be had by id.
  const here = await present(scratch, ids);
  if (here.size === ids.length) return here;

  const { url } = scratch.session;
  const input = ids.map((id) => `${id}\n`).join("");
  // The filter leaves out what an object points at; a blob that is asked for by its id comes whatever the filter says.
  const { code, stderr } = await scratch.git(fetchTreesArgv(), { input, timeout: "fetch" });
  if (code !== 0) {
    const error = scratch.session.failure(`Files of ${url} could not be read`, classifyFailure(stderr));
    throw needsAnotherTier(stderr) ? new Unsupported(error, stderr) : error;
  }
  const fetched = await present(scratch, ids);
  const lost = ids.find((id) => !fetched.has(id));
  if (lost === undefined) return fetched;
  throw scratch.session.failure(`${url}: file object ${lost} could not be read`, {
    kind: "unreadable",
    said: "",
  });
}

/** The objects that are in the scratch repository. Git ends at the first that is not, and says so. */
async function present(scratch: Scratch, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, Buffer>> {
  const input = ids.map((id) => `${id}\n`).join("");
  const { stdout } = await scratch.git(readObjectsArgv(), { input });
  return new Map([...parseObjects(stdout, ids)].map(([id, { content }]) => [id, content]));
}

import { locate } from "../plumbing/locate.ts";
import { inventoryName } from "./inventory.ts";
import { isInside, nameOf, pathBelow } from "../../values/path.ts";
import { rebuild } from "../plumbing/rebuild.ts";
import type { Start } from "./createBranch.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import { SigningError } from "./signing.ts";
import { storeCommit, storeObjects } from "./store.ts";
import type { ObjectId, WriteRequest } from "../words/types.ts";

/** One commit to make. */
export interface Part {
  readonly request: WriteRequest;
  /** Path from the root to the blob to put there; null takes the file away. */
  readonly changes: ReadonlyMap<string, ObjectId | null>;
  /** Contents of the blobs that are put there. */
  readonly contents: ReadonlyMap<string, string>;
}

/** One commit made. */
export interface Step {
  readonly request: WriteRequest;
  readonly commit: ObjectId;
}

/**
 * Makes a commit for each part in the scratch repository, each on top of the one before, the first on the start; in their
 * place, why one could not be signed: the next is then made as if that part were not there. A part without changes, which
 * only wants its branch, gets no commit of its own.
 */
export async function buildChain(
  scratch: Scratch,
  tip: Start,
  parts: readonly Part[],
): Promise<(Step | SigningError)[]> {
  const made: (Step | SigningError)[] = [];
  // What did not answer for one cluster is not waited for with each of a hundred.
  const silent = new Map<string, SigningError>();
  let { tree, parents, commit } = tip;
  for (const { request, changes, contents } of parts) {
    if (changes.size > 0) {
      // Every folder on the way is here already: fetched for the plan, or built by the part before.
      const snapshot = await locate(tree, [...changes.keys()], scratch.loadTrees);
      const { root, trees } = rebuild(snapshot, changes);
      for (const { id, entries } of trees) scratch.remember(id, entries);
      const raws = trees.map(({ raw }) => raw);
      const blobs = [...contents.values()].map((content) => Buffer.from(content, "utf8"));
      await storeObjects(scratch, blobs, raws, root.length);
      const paths = changedPaths(request.directory, changes);
      const key = JSON.stringify(request.delivery?.signing);
      try {
        const before = silent.get(key);
        if (before !== undefined) throw before;
        commit = await storeCommit(scratch, root, parents, request, paths);
      } catch (error) {
        if (!(error instanceof SigningError)) throw error;
        if (error.kind === "timeout") silent.set(key, error);
        made.push(error);
        continue;
      }
      tree = root;
      parents = [commit];
    }
    made.push({ request, commit });
  }
  return made;
}

/** What to tell of a commit: its files, below the directory where they are; the inventory goes without saying. */
function changedPaths(directory: string, changes: Part["changes"]): string[] {
  return [...changes.keys()]
    .filter((path) => nameOf(path) !== inventoryName)
    .map((path) => (isInside(path, directory) ? pathBelow(directory, path) : path));
}

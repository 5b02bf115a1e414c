import { locate } from "./locate.ts";
import { fullPath } from "./plan.ts";
import { rebuild } from "./rebuild.ts";
import type { Start } from "./createBranch.ts";
import type { Scratch } from "./scratch.ts";
import { storeCommit, storeObjects } from "./store.ts";
import type { ObjectId, WriteRequest } from "./types.ts";

/** One commit to make. */
export interface Part {
  readonly request: WriteRequest;
  /** Path from the root to the blob to put there; null takes the file away. */
  readonly changes: ReadonlyMap<string, ObjectId | null>;
}

/** One commit made. */
export interface Step {
  readonly request: WriteRequest;
  readonly commit: ObjectId;
}

/**
 * Makes a commit for each part in the scratch repository, each on top of the one before, the first on the start. A part
 * without changes, which only wants its branch, gets no commit of its own.
 */
export async function buildChain(scratch: Scratch, tip: Start, parts: readonly Part[]): Promise<Step[]> {
  const blobs: Buffer[] = [];
  const trees: Buffer[] = [];
  const roots: { readonly part: Part; readonly root: ObjectId }[] = [];
  let root = tip.tree;
  for (const part of parts) {
    const { request, changes } = part;
    // Every folder on the way is here already: fetched for the plan, or built by the part before.
    const snapshot = await locate(root, [...changes.keys()], scratch.loadTrees);
    const rebuilt = rebuild(snapshot, changes);
    for (const { id, entries, raw } of rebuilt.trees) {
      scratch.remember(id, entries);
      trees.push(raw);
    }
    blobs.push(...changedContents(request, changes));
    root = rebuilt.root;
    roots.push({ part, root });
  }
  await storeObjects(scratch, blobs, trees, tip.tree.length);
  const steps: Step[] = [];
  let parents = tip.parents;
  let commit = tip.commit;
  for (const { part, root } of roots) {
    const { request, changes } = part;
    if (changes.size > 0) {
      const paths = [...changes.keys()].map((path) => below(request.directory, path));
      commit = await storeCommit(scratch, root, parents, request, paths);
      parents = [commit];
    }
    steps.push({ request, commit });
  }
  return steps;
}

/** A path from the root as one from the folder. */
function below(directory: string, path: string): string {
  return directory === "" ? path : path.slice(directory.length + 1);
}

/** Contents of the files that a part puts on the branch. */
function changedContents({ directory, files }: WriteRequest, changes: Part["changes"]): Buffer[] {
  return Object.entries(files)
    .filter(([path]) => changes.has(fullPath(directory, path)))
    .map(([, content]) => Buffer.from(content, "utf8"));
}

import { locate } from "../plumbing/locate.ts";
import { inventoryName } from "./inventory.ts";
import { isInside, nameOf, pathBelow } from "../../values/path.ts";
import { rebuild } from "../plumbing/rebuild.ts";
import type { Start } from "./createBranch.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import { SigningError } from "./signing.ts";
import { type Committed, storeCommit, storeObjects } from "./store.ts";
import type { Change } from "../words/message.ts";
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
 * Makes commits in the scratch repository, each on top of the one before, the first on the start: one for each part, or for
 * all that may share one. In the place of a part comes why its commit could not be signed: the next is then made as if it
 * were not there. A part without changes, which only wants its branch, gets no commit of its own.
 */
export async function buildChain(
  scratch: Scratch,
  tip: Start,
  parts: readonly Part[],
): Promise<(Step | SigningError)[]> {
  const made = new Map<Part, Step | SigningError>();
  // What did not answer for one cluster is not waited for with each of a hundred.
  const silent = new Map<string, SigningError>();
  let { tree, parents, commit } = tip;
  for (const together of sharing(parts)) {
    let root = tree;
    const written: Committed[] = [];
    for (const part of together.filter(({ changes }) => changes.size > 0)) {
      const stored = await storePart(scratch, root, part);
      root = stored.root;
      written.push({ source: part.request, changes: stored.changes });
    }
    const [first, ...others] = written;
    if (first !== undefined) {
      const key = JSON.stringify(first.source.delivery?.signing);
      try {
        const before = silent.get(key);
        if (before !== undefined) throw before;
        commit = await storeCommit(scratch, root, parents, [first, ...others]);
      } catch (error) {
        if (!(error instanceof SigningError)) throw error;
        if (error.kind === "timeout") silent.set(key, error);
        for (const part of together) made.set(part, error);
        continue;
      }
      tree = root;
      parents = [commit];
    }
    for (const part of together) made.set(part, { request: part.request, commit });
  }
  return parts.flatMap((part) => made.get(part) ?? []);
}

/** Parts that go into one commit, in the order in which they came. */
function sharing(parts: readonly Part[]): (readonly Part[])[] {
  const groups = Map.groupBy(parts, ({ request, changes }, index) => {
    const { message, author, delivery = {}, provenance } = request;
    if (delivery.commitPer !== "push" || changes.size === 0) return String(index);
    const { committer, signing } = delivery;
    const { project, stack, version, update } = provenance ?? {};
    return JSON.stringify([message, author, committer, signing, project, stack, version, update]);
  });
  return [...groups.values()];
}

/** Stores what a part puts on the branch; the folder at the root then, and what changed; the inventory goes without saying. */
async function storePart(
  scratch: Scratch,
  tree: ObjectId,
  { request, changes, contents }: Part,
): Promise<{ readonly root: ObjectId; readonly changes: readonly Change[] }> {
  // Every folder on the way is here already: fetched for the plan, or built by the part before.
  const snapshot = await locate(tree, [...changes.keys()], scratch.loadTrees);
  const { root, trees } = rebuild(snapshot, changes);
  for (const { id, entries } of trees) scratch.remember(id, entries);
  const raws = trees.map(({ raw }) => raw);
  const blobs = [...contents.values()].map((content) => Buffer.from(content, "utf8"));
  await storeObjects(scratch, blobs, raws, root.length);
  const kindOf = (path: string, blob: ObjectId | null): Change["kind"] =>
    blob === null ? "-" : snapshot.at.has(path) ? "~" : "+";
  return {
    root,
    changes: [...changes]
      .filter(([path]) => nameOf(path) !== inventoryName)
      .map(([path, blob]) => ({ path: toldAs(request.directory, path), kind: kindOf(path, blob) })),
  };
}

/** A file as a message tells it: below the directory where it is there. */
function toldAs(directory: string, path: string): string {
  return isInside(path, directory) ? pathBelow(directory, path) : path;
}

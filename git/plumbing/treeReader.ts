import type { ChangeOrigin } from "../words/errors.ts";
import { toBytes, toText } from "../words/bytes.ts";
import { type Commit, readCommits } from "./commits.ts";
import { contentsSince, lastChanges } from "./history.ts";
import { locate } from "./locate.ts";
import { missingBranch, noBranches } from "./missingBranch.ts";
import { sizeText } from "./objects.ts";
import type { ReadLimit } from "./objects.ts";
import type { Scratch, Tip } from "./scratch.ts";
import { openSession } from "../access/session.ts";
import { isExecutable, kindOf } from "./tree.ts";
import { withScratch } from "./withScratch.ts";
import type { Branch, GitContext, ObjectId, Refs } from "../words/types.ts";

/** Of files that are read for what they say. */
const readable: ReadLimit = { each: 16 << 20, all: 256 << 20 };

/** One thing in a folder. `kind` is `folder`, `file`, `symlink`, `submodule` or, for what git does not name, another word. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: string;
  /** Git object of what stands there. */
  readonly id: ObjectId;
  /** Set for a file that has the mode of a program. */
  readonly executable?: boolean;
}

/** The newest commit of a branch, read folder by folder. What was read once is not fetched again. */
export interface TreeReader {
  readonly commit: ObjectId;
  /** Entries of folders, `""` being the root. A folder that is not there is absent. One fetch for each level. */
  list(folders: readonly string[]): Promise<ReadonlyMap<string, readonly TreeEntry[]>>;
  /** Contents of files; of one that is too large, bytes that are not text. A path that is no file is absent. One fetch for all. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** The commits that last changed paths, files or folders; one that is not among the newest commits is absent. */
  lastChanges(paths: readonly string[]): Promise<ReadonlyMap<string, ChangeOrigin>>;
  /** The commits that the branch is built on, `depth` commits deep at most. */
  commits(depth: number): Promise<readonly Commit[]>;
}

/** Readers of several branches, by name; a branch that is not there is absent. */
export interface Trees {
  readonly byBranch: ReadonlyMap<string, TreeReader>;
  /** Names of the branches and tags that are there; asked for where one may be missing. */
  readonly refs: () => Promise<Refs>;
  /** Every content that files have had on a branch, the newest first, as far as its newest commits tell. */
  readonly earlier: (
    branch: string,
    paths: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly Buffer[]>>;
  /** What a full ref or the id of a commit stands for; undefined where it is not there, or not handed out. */
  readonly at: (revision: string) => Promise<RevisionReader | undefined>;
}

/** The files of one commit. */
export type RevisionReader = Pick<TreeReader, "commit" | "list" | "read">;

interface How {
  readonly folders?: "needed" | "all";
}

/**
 * Hands the newest commit of a branch to `use`, which may be called again where the server cannot serve a way of reading.
 * Nothing is written, and no credential is asked for. Rejects with GitError: `missingBranch` where there is no such
 * branch, `unreachable`, `authentication` and so on where there is no way to it. `folders`: see withScratch.
 */
export function withTree<T>(
  branch: Branch,
  context: GitContext,
  use: (tree: TreeReader) => Promise<T>,
  how?: How,
): Promise<T> {
  return withScratchOf(branch.url, context, how, async (scratch) => {
    const tip = await scratch.fetchTip(branch.branch);
    if (tip === undefined) throw await missingBranch(scratch, branch);
    return use(treeReader(scratch, branch, tip));
  });
}

/**
 * The same for several branches of one repository, each fetched once; what they share is read once. A missing branch is
 * left out, since what that means is the caller's to say. Rejects with `noBranches` where there is none at all.
 */
export function withTrees<T>(
  url: string,
  branches: readonly string[],
  context: GitContext,
  use: (trees: Trees) => Promise<T>,
): Promise<T> {
  return withScratchOf(url, context, undefined, async (scratch) => {
    const byBranch = new Map<string, TreeReader>();
    const inTurn = queue();
    for (const branch of new Set(branches)) {
      const tip = await scratch.fetchTip(branch);
      if (tip !== undefined) byBranch.set(branch, taking(inTurn, treeReader(scratch, { url, branch }, tip)));
    }
    if (branches.length > 0 && byBranch.size === 0 && (await scratch.branches()).length === 0) {
      throw noBranches({ url, branch: branches[0] ?? "" });
    }
    let refs: Promise<Refs> | undefined;
    return use({
      byBranch,
      refs: () => (refs ??= inTurn(() => scratch.refs())),
      earlier: (branch, paths) => inTurn(() => contentsSince(scratch, branch, paths)),
      async at(revision) {
        const tip = await inTurn(() => scratch.fetchRevision(revision));
        if (tip === undefined) return undefined;
        return taking(inTurn, treeReader(scratch, { url, branch: revision }, tip));
      },
    });
  });
}

/** Names of the branches and tags of a repository. Rejects with GitError where it cannot be asked. */
export async function listRefs(url: string, context: GitContext): Promise<Refs> {
  return withScratchOf(url, context, undefined, (scratch) => scratch.refs());
}

/** A reader of any commit of a branch that is fetched already, which takes its turn with whatever else is asked. */
export function readerIn(scratch: Scratch, branch: Branch, tip: Tip, inTurn: InTurn): TreeReader {
  return taking(inTurn, treeReader(scratch, branch, tip));
}

export type InTurn = <T>(step: () => Promise<T>) => Promise<T>;

/** Runs steps one after the other: git processes of one repository must not fetch into it at once. */
export function queue(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const next = last.then(step);
    last = next.catch(() => undefined);
    return next;
  };
}

function taking(inTurn: InTurn, tree: TreeReader): TreeReader {
  return {
    commit: tree.commit,
    list: (folders) => inTurn(() => tree.list(folders)),
    read: (paths) => inTurn(() => tree.read(paths)),
    lastChanges: (paths) => inTurn(() => tree.lastChanges(paths)),
    commits: (depth) => inTurn(() => tree.commits(depth)),
  };
}

async function withScratchOf<T>(
  url: string,
  context: GitContext,
  how: How | undefined,
  use: (scratch: Scratch) => Promise<T>,
): Promise<T> {
  return withScratch(await openSession(url, context), use, how);
}

function treeReader(scratch: Scratch, branch: Branch, tip: Tip): TreeReader {
  const find = (paths: readonly string[]): ReturnType<typeof locate> =>
    locate(tip.tree, paths, scratch.loadTrees);
  return {
    commit: tip.commit,
    async list(folders) {
      // Looking for a name below a folder reads the folder, and no file is called "/".
      const { folders: found } = await find(folders.map((folder) => (folder === "" ? "" : `${folder}/`)));
      return new Map(
        folders.flatMap((folder) => {
          const entries = found.get(toBytes(folder));
          if (entries === undefined) return [];
          const shown = entries.map((entry) => ({
            name: toText(entry.name),
            kind: kindOf(entry),
            id: entry.id,
            ...(isExecutable(entry) && { executable: true }),
          }));
          return [[folder, shown] as const];
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
    lastChanges: (paths) => lastChanges(scratch, branch.branch, paths),
    commits: (depth) => readCommits(scratch, branch.branch, depth),
  };
}

/** In place of a file that is too large: nobody takes it for text, so one file's fault stays that file's. */
function notRead(size: number): Buffer {
  return Buffer.from(`\0(${sizeText(size)}, too large to be read)`);
}

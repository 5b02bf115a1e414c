import { openSession } from "../access/session.ts";
import { type ToldCommit, tellCommit } from "../plumbing/commits.ts";
import { leavesAt } from "../plumbing/history.ts";
import { locate } from "../plumbing/locate.ts";
import { rebuild } from "../plumbing/rebuild.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import { type Leaf, type TreeChange, treeChanges } from "../plumbing/treeChanges.ts";
import { queue, readerIn, type TreeReader } from "../plumbing/treeReader.ts";
import { fileMode, objectId } from "../plumbing/tree.ts";
import { withScratch } from "../plumbing/withScratch.ts";
import { toText } from "../words/bytes.ts";
import { GitError } from "../words/errors.ts";
import type { GitContext, ObjectId, Refs } from "../words/types.ts";
import { push, pushTag } from "./push.ts";
import { type MadeTag, makeCommit, makeTag, type NewCommit, type NewTag, storeObjects } from "./store.ts";

/** A branch, its newest commits and all that they are built on, as far as it was read. */
export interface BranchLine {
  readonly branch: string;
  /** The commits of the branch itself, by first parents, the tip first. */
  readonly line: readonly [ToldCommit, ...ToldCommit[]];
  /** With what was merged into them. */
  readonly all: ReadonlyMap<ObjectId, ToldCommit>;
  /** Whether that is everything, down to the first commit. */
  readonly whole: boolean;
}

/** Where a push has to find its branch; undefined where it makes it. */
export type Lease = ObjectId | undefined;

/** Whole branches of one repository, read without a clone and moved by whole commits. Everything rejects with GitError. */
export interface Branches {
  /** Reads a branch anew; undefined where it does not exist. */
  line(branch: string): Promise<BranchLine | undefined>;
  refs(): Promise<Refs>;
  /** Where two trees differ. */
  changes(from: ObjectId, to: ObjectId): Promise<readonly TreeChange[]>;
  /** By path, mode and id of what is there in each of the trees, in their order; undefined where nothing is. */
  at(
    trees: readonly ObjectId[],
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, readonly (string | undefined)[]>>;
  /** The files of a commit. */
  reader(branch: string, commit: Pick<ToldCommit, "id" | "tree">): TreeReader;
  /** The files of what a full ref or the id of a commit stands for; undefined where it is not there, or not handed out. */
  revision(name: string): Promise<TreeReader | undefined>;
  /** Stores the tree that is another one but for some paths. */
  treeWith(tree: ObjectId, changes: ReadonlyMap<string, Leaf | null>): Promise<ObjectId>;
  /** Stores files by their text. */
  store(texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Leaf>>;
  /** Fetches files that a commit to push holds and its parents do not. */
  obtain(blobs: readonly ObjectId[]): Promise<void>;
  commit(commit: NewCommit): Promise<ObjectId>;
  /** A commit that was made or read here. */
  told(commit: ObjectId): Promise<ToldCommit>;
  /** Compare-and-swap: false where somebody else was first. Any other failure is a GitError. */
  push(commit: ObjectId, branch: string, lease: Lease): Promise<boolean>;
  /** Makes an annotated tag of a commit that was read here; it is pushed apart. */
  tag(tag: NewTag): Promise<MadeTag>;
  /** Pushes it: false where there is one of that name already, which stays. */
  pushTag(id: ObjectId, name: string): Promise<boolean>;
}

/** How many commits deep a branch is read: years, and a second of fetching where there are so many. */
const depth = 4096;

/**
 * Hands branches of a repository to `use`, which may be called again where the server cannot serve a way of reading; never
 * after a push. Of commits and folders only what is asked for is fetched, where the server can do that.
 */
export async function withBranches<T>(
  url: string,
  context: GitContext,
  use: (branches: Branches) => Promise<T>,
): Promise<T> {
  return withScratch(await openSession(url, context), (scratch) => use(branchesOf(scratch, url)));
}

/** Many gates ask at once, and git processes of one repository must not. */
function branchesOf(scratch: Scratch, url: string): Branches {
  const [inTurn, plain] = [queue(), unqueued(scratch, url)];
  return {
    line: (branch) => inTurn(() => plain.line(branch)),
    refs: () => inTurn(() => plain.refs()),
    changes: (from, to) => inTurn(() => plain.changes(from, to)),
    at: (trees, paths) => inTurn(() => plain.at(trees, paths)),
    reader: (branch, { id, tree }) => readerIn(scratch, { url, branch }, { commit: id, tree }, inTurn),
    async revision(name) {
      const tip = await inTurn(() => scratch.fetchRevision(name));
      return tip && readerIn(scratch, { url, branch: name }, tip, inTurn);
    },
    treeWith: (tree, changes) => inTurn(() => plain.treeWith(tree, changes)),
    store: (texts) => inTurn(() => plain.store(texts)),
    obtain: (blobs) => inTurn(() => plain.obtain(blobs)),
    commit: (commit) => inTurn(() => plain.commit(commit)),
    told: (commit) => inTurn(() => plain.told(commit)),
    push: (commit, branch, lease) => inTurn(() => plain.push(commit, branch, lease)),
    tag: (tag) => inTurn(() => plain.tag(tag)),
    pushTag: (id, name) => inTurn(() => plain.pushTag(id, name)),
  };
}

function unqueued(scratch: Scratch, url: string): Omit<Branches, "reader" | "revision"> {
  return {
    async line(branch) {
      const stored = await scratch.log(branch, depth, "all").catch(async (error: unknown) => {
        if (!(error instanceof GitError) || (await scratch.refs()).branches.includes(branch)) throw error;
        return undefined;
      });
      if (stored === undefined) return undefined;
      const commits = stored.map(tellCommit);
      const all = new Map(commits.map((commit) => [commit.id, commit]));
      const [tip] = commits;
      if (tip === undefined) throw new GitError("unreadable", `${url}: branch ${branch} has no commit.`);
      const line: [ToldCommit, ...ToldCommit[]] = [tip];
      for (let next = before(tip, all); next !== undefined; next = before(next, all)) line.push(next);
      return { branch, line, all, whole: line.at(-1)?.parents.length === 0 };
    },
    refs: () => scratch.refs(),
    changes: (from, to) => treeChanges(from, to, scratch.loadTrees),
    at: (trees, paths) => leavesAt(scratch, trees, paths),
    async treeWith(tree, changes) {
      const snapshot = await locate(tree, [...changes.keys()], scratch.loadTrees);
      for (const [path, leaf] of changes) {
        const there = snapshot.at.get(path);
        if (leaf === null || there === undefined || !("blockedBy" in there)) continue;
        const blockedBy = toText(there.blockedBy);
        if (changes.get(blockedBy) !== null)
          throw new GitError(
            "conflict",
            `${path} has no place: ${blockedBy} is not a folder. Move that away first.`,
          );
      }
      const { root, trees } = rebuild(snapshot, changes);
      for (const { id, entries } of trees) scratch.remember(id, entries);
      await storeObjects(
        scratch,
        [],
        trees.map(({ raw }) => raw),
        root.length,
      );
      return root;
    },
    async store(texts) {
      const digits = scratch.emptyTree().length;
      const blobs = [...texts].map(([path, text]) => [path, Buffer.from(text, "utf8")] as const);
      await storeObjects(
        scratch,
        blobs.map(([, content]) => content),
        [],
        digits,
      );
      return new Map(
        blobs.map(([path, content]) => [path, { mode: fileMode, id: objectId("blob", content, digits) }]),
      );
    },
    async obtain(blobs) {
      // Nothing of them has to be read.
      await scratch.readBlobs([...new Set(blobs)], { each: 0, all: 0 });
    },
    async commit(commit) {
      // git looks at the tree before it makes a commit of it.
      await scratch.loadTrees([commit.tree]);
      return makeCommit(scratch, commit);
    },
    told: async (commit) => tellCommit(await scratch.readCommit(commit)),
    async push(commit, branch, lease) {
      const failure = await push(scratch, commit, branch, {
        commit: lease ?? "",
        create: lease === undefined,
      });
      if (failure === undefined) return true;
      if (failure.kind === "race") return false;
      throw scratch.session.failure(`Branch ${branch} of ${url} could not be pushed`, failure);
    },
    tag: (tag) => makeTag(scratch, tag),
    async pushTag(id, name) {
      const failure = await pushTag(scratch, id, name);
      if (failure === undefined) return true;
      if (failure.kind === "race") return false;
      throw scratch.session.failure(`Tag ${name} of ${url} could not be pushed`, failure);
    },
  };
}

function before(
  { parents: [first] }: ToldCommit,
  all: ReadonlyMap<ObjectId, ToldCommit>,
): ToldCommit | undefined {
  return first === undefined ? undefined : all.get(first);
}

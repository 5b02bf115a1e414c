import { GitError, branchKey, withTree } from "../git/index.ts";
import type { Branch, GitContext, TreeEntry, TreeReader } from "../git/index.ts";

interface View {
  /** Undefined where there is no such branch. */
  readonly tree: Promise<TreeReader | undefined>;
  /** Ends what was opened for it. */
  readonly close: () => void;
  asked: number;
  /** When the questions before are answered: one at a time may be asked. */
  last: Promise<unknown>;
}

/** Everything below some folders of a branch. */
export type Below = ReadonlyMap<string, TreeEntry["id"]>;

/**
 * Looks at folders of branches. The engine asks for one resource after the other, so a branch is fetched once and stays
 * open until nobody has asked for a while; what is pushed meanwhile is not seen.
 */
export class FolderLookup {
  readonly #context: GitContext;
  readonly #views = new Map<string, View>();
  readonly #idle: number;

  /** `idle` is in milliseconds. */
  constructor(context: GitContext, { idle = 1000 }: { readonly idle?: number } = {}) {
    this.#context = context;
    this.#idle = idle;
  }

  /**
   * Files below some folders, by path from the root, each with its blob; undefined where the branch is not there. Rejects
   * with GitError where the repository cannot be read.
   */
  filesBelow(branch: Branch, folders: readonly string[]): Promise<Below | undefined> {
    return this.#ask(branch, folders, true);
  }

  /** As filesBelow, of the files that lie in these very folders. */
  filesIn(branch: Branch, folders: readonly string[]): Promise<Below | undefined> {
    return this.#ask(branch, folders, false);
  }

  async #ask(branch: Branch, folders: readonly string[], deep: boolean): Promise<Below | undefined> {
    const view = this.#view(branch);
    const asked = (view.asked += 1);
    // One that cannot be opened stays known as that: a server that hangs must not be waited for again and again.
    const tree = await view.tree;
    try {
      if (tree === undefined) return undefined;
      const answer = view.last.then(() => walk(tree, folders, deep));
      view.last = answer.catch(() => undefined);
      return await answer;
    } finally {
      setTimeout(() => {
        if (view.asked === asked) this.#close(branch);
      }, this.#idle).unref();
    }
  }

  #view(branch: Branch): View {
    const key = branchKey(branch);
    const open = this.#views.get(key);
    if (open !== undefined) return open;
    const held = Promise.withResolvers<TreeReader>();
    const end = Promise.withResolvers<void>();
    const hold = (tree: TreeReader): Promise<void> => {
      held.resolve(tree);
      return end.promise;
    };
    const gone = withTree(branch, this.#context, hold, { folders: "all" }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof GitError && ["missingBranch", "noBranches"].includes(error.kind))
          return undefined;
        throw error;
      },
    );
    const view = {
      tree: Promise.race([held.promise, gone]),
      close: end.resolve,
      asked: 0,
      last: Promise.resolve(),
    };
    this.#views.set(key, view);
    return view;
  }

  #close(branch: Branch): void {
    const key = branchKey(branch);
    this.#views.get(key)?.close();
    this.#views.delete(key);
  }
}

/** One question for all folders of a level. */
async function walk(tree: TreeReader, folders: readonly string[], deep: boolean): Promise<Below> {
  const files = new Map<string, TreeEntry["id"]>();
  for (let level: readonly string[] = folders; level.length > 0;) {
    const next: string[] = [];
    for (const [folder, entries] of await tree.list(level)) {
      for (const { name, kind, id } of entries) {
        const path = folder === "" ? name : `${folder}/${name}`;
        if (deep && kind === "folder") next.push(path);
        if (kind === "file") files.set(path, id);
      }
    }
    level = next;
  }
  return files;
}

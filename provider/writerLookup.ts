import { fullPath } from "../values/path.ts";
import { GitError, branchKey, lastWriters, readFiles } from "../git/index.ts";
import type { ChangeOrigin, GitContext, ObjectId } from "../git/index.ts";

/** Milliseconds in which questions about one branch are put together. */
const linger = 50;

/** A file that is on the branch. */
export interface Found {
  readonly blob: ObjectId;
  readonly executable: boolean;
  /** The commit that last changed it; absent when it is not among the newest ones. */
  readonly by?: ChangeOrigin;
}

interface Place {
  readonly url: string;
  readonly branch: string;
  readonly directory: string;
  readonly paths: readonly string[];
}

interface Batch {
  readonly paths: Set<string>;
  readonly answer: Promise<ReadonlyMap<string, Found>>;
}

/** Looks up what is on a branch and who last wrote it, with one look for all that ask at about the same time. */
export class WriterLookup {
  readonly #context: GitContext;
  readonly #batches = new Map<string, Batch>();

  constructor(context: GitContext) {
    this.#context = context;
  }

  /** By path below the directory; what is not there is absent. Rejects with GitError when the branch cannot be read. */
  async find({ url, branch, directory, paths }: Place): Promise<ReadonlyMap<string, Found>> {
    const key = branchKey({ url, branch });
    const batch = this.#batches.get(key) ?? this.#open(key, url, branch);
    for (const path of paths) batch.paths.add(fullPath(directory, path));
    const answer = await batch.answer;
    return new Map(
      paths.flatMap((path) => {
        const found = answer.get(fullPath(directory, path));
        return found === undefined ? [] : [[path, found] as const];
      }),
    );
  }

  #open(key: string, url: string, branch: string): Batch {
    const paths = new Set<string>();
    const answer = new Promise<void>((resolve) => setTimeout(resolve, linger)).then(() => {
      this.#batches.delete(key);
      return look({ url, branch, directory: "", paths: [...paths] }, this.#context);
    });
    const batch = { paths, answer };
    this.#batches.set(key, batch);
    return batch;
  }
}

async function look(place: Place, context: GitContext): Promise<ReadonlyMap<string, Found>> {
  const seen = await readFiles(place, context).catch((error: unknown) => {
    // A repository that is empty holds nothing of anybody; the write decides what to make of that.
    if (error instanceof GitError && error.kind === "noBranches") return undefined;
    throw error;
  });
  const there = Object.entries(seen?.blobs ?? {});
  if (there.length === 0) return new Map();
  const executable = new Set(seen?.executable);
  const changes = await lastWriters({ ...place, paths: there.map(([path]) => path) }, context);
  return new Map(
    there.map(([path, blob]) => {
      const by = changes.get(path);
      return [path, { blob, executable: executable.has(path), ...(by && { by }) }];
    }),
  );
}

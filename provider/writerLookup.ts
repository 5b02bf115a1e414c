import { branchKey } from "../git/branchKey.ts";
import { type GitContext, lastWriters, type ReadRequest } from "../git/index.ts";
import { fullPath } from "../git/plan.ts";

/** Milliseconds in which questions about one branch are put together: writes that shared a push end at once. */
const linger = 50;

type Answer = Awaited<ReturnType<typeof lastWriters>>;

interface Batch {
  readonly paths: Set<string>;
  readonly answer: Promise<Answer>;
}

/** Looks up who last wrote files, with one look at the history for all that ask at about the same time. */
export class WriterLookup {
  readonly #context: GitContext;
  readonly #batches = new Map<string, Batch>();

  constructor(context: GitContext) {
    this.#context = context;
  }

  /** By path from the root of the repository; as lastWriters otherwise. */
  async find({ directory, paths, ...branch }: ReadRequest): Promise<Answer> {
    const key = branchKey(branch);
    const batch = this.#batches.get(key) ?? this.#open(key, branch);
    const wanted = paths.map((path) => fullPath(directory, path));
    for (const path of wanted) batch.paths.add(path);
    const answer = await batch.answer;
    return new Map(
      wanted.flatMap((path) => {
        const change = answer.get(path);
        return change === undefined ? [] : [[path, change] as const];
      }),
    );
  }

  #open(key: string, branch: Omit<ReadRequest, "directory" | "paths">): Batch {
    const paths = new Set<string>();
    const answer = new Promise<void>((resolve) => setTimeout(resolve, linger)).then(() => {
      this.#batches.delete(key);
      return lastWriters({ ...branch, directory: "", paths: [...paths] }, this.#context);
    });
    const batch = { paths, answer };
    this.#batches.set(key, batch);
    return batch;
  }
}

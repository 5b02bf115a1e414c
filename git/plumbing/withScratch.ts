import { GitError } from "../words/errors.ts";
import { Scratch } from "./scratch.ts";
import type { Session } from "../access/session.ts";
import type { Tier } from "./tier.ts";
import { Unsupported } from "./tier.ts";
import { withTemporaryFolder } from "../access/temporary.ts";

/** From the least data to the most. Some hosts answer a tree filter of depth 0 only (uploadpackfilter.tree.maxDepth). */
const ladder: readonly Omit<Tier, "format">[] = [
  { tip: "tree:1", trees: true },
  { tip: "tree:0", trees: true },
  { tip: "blob:none", trees: false },
  { tip: undefined, trees: false },
];

const allFolders = ladder.findIndex(({ trees }) => !trees);

/** The rung (and format) that worked last, by URL, so that a server is asked in vain only once per process. */
const known = new Map<string, { rung: number; format: Tier["format"] }>();

/**
 * Hands a fresh scratch repository to `use`, and again with the next tier where the server could not serve one.
 * `use` must not have pushed before it throws Unsupported. With `folders: "all"` every folder of the tip comes with the
 * first fetch, and no later one is needed: for questions about many folders, asked one by one.
 */
export async function withScratch<T>(
  session: Session,
  use: (scratch: Scratch) => Promise<T>,
  { folders = "needed" }: { readonly folders?: "needed" | "all" } = {},
): Promise<T> {
  const before = known.get(session.url) ?? { rung: 0, format: "sha1" as Tier["format"] };
  let { rung, format } = before;
  if (folders === "all") rung = Math.max(rung, allFolders);
  let unreadable: GitError | undefined;
  // A server with a damaged folder says so once, and just breaks off when asked for everything at once.
  const stillUnreadable = (error: unknown): boolean =>
    unreadable !== undefined && error instanceof GitError && ["unreachable", "failed"].includes(error.kind);
  for (;;) {
    const tier = { ...(ladder[rung] ?? { tip: undefined, trees: false }), format };
    try {
      const result = await withTemporaryFolder(session.tempRoot, async (folder) => {
        const scratch = await Scratch.create(folder, session, tier);
        return use(scratch).finally(() => scratch.close());
      });
      // What was skipped is no rung that failed.
      const lowest = folders === "all" && rung === allFolders ? before.rung : rung;
      known.set(session.url, { rung: lowest, format });
      return result;
    } catch (error) {
      if (!(error instanceof Unsupported)) throw stillUnreadable(error) ? unreadable : error;
      if (error.error.kind === "unreadable") unreadable ??= error.error;
      if (/mismatched algorithms/.test(error.stderr) && format === "sha1") format = "sha256";
      else if (rung + 1 < ladder.length) rung += 1;
      else throw unreadable ?? error.error;
    }
  }
}

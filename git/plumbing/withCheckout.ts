import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../access/run.ts";
import type { Outcome } from "../access/run.ts";
import { GitError } from "../words/errors.ts";

/** A commit of a clone as a folder on disk. */
export interface Checkout {
  /** Root of the clone that the commit is of. */
  readonly clone: string;
  /** Folder that holds the commit's files, until `use` is done. */
  readonly root: string;
  readonly commit: string;
  /** URLs of the repositories that the clone fetches from. */
  readonly remotes: readonly string[];
}

/**
 * Writes a commit of the clone that `folder` lies in to a temporary folder. The clone stays as it is: its work tree, its
 * index, its branches. Rejects with GitError where there is no clone, or no such commit.
 */
export async function withCheckout<T>(
  folder: string,
  ref: string,
  use: (checkout: Checkout) => Promise<T>,
): Promise<T> {
  const clone = (await git(folder, ["rev-parse", "--show-toplevel"], `${folder} is not in a clone.`)).trim();
  const next = `${ref} is not a commit of ${clone}. Name a branch, a tag or a commit that is there.`;
  const commit = (
    await git(clone, ["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`], next)
  ).trim();
  const names = (await git(clone, ["remote"], next)).split("\n").filter(Boolean);
  const remotes = await Promise.all(
    names.map(async (name) => (await git(clone, ["remote", "get-url", "--", name], next)).trim()),
  );
  const place = await mkdtemp(join(tmpdir(), "arcflux-base-"));
  try {
    const index = { GIT_INDEX_FILE: join(place, "index") };
    const root = join(place, "tree");
    await git(clone, ["read-tree", commit], next, index);
    await git(clone, ["checkout-index", "--all", `--prefix=${root}/`], next, index);
    return await use({ clone, root, commit, remotes });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function git(
  folder: string,
  args: string[],
  fault: string,
  more: NodeJS.ProcessEnv = {},
): Promise<string> {
  const env = { ...process.env, LC_ALL: "C", ...more };
  const redact = (text: string): string => text;
  const outcome: Outcome = await run({ args: ["-C", folder, ...args], env, timeout: 60_000, redact });
  if (outcome.code !== 0) throw new GitError("failed", fault);
  return outcome.stdout.toString();
}

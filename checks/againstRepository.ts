import type { Finding, Path } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { GitError } from "../git/index.ts";
import type { GitContext } from "../git/index.ts";
import { printable } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { openRepository } from "./openRepository.ts";
import type { RepositoryTree } from "./repositoryTree.ts";

/** Which repository to check against, and what to do without it. */
export interface Against {
  /** Makes a finding at the place of a path in the fleet file, as the loaded fleet offers it. */
  readonly finding: (
    severity: Finding["severity"],
    path: Path,
    message: string,
    at?: "key" | "value",
  ) => Finding;
  /** The repository to check against: a URL or a path. Defaults to the fleet's own URL. */
  readonly repository?: string;
  /** Environment of git, and the rest that it takes from the world. Defaults to that of the process. */
  readonly context?: GitContext;
  /**
   * What a repository that cannot be read means: `fail` rejects with the GitError; `warn` makes it a warning, for a
   * preview, which must also work away from the network. There a branch that is missing, and that no update makes, is
   * an error. Defaults to `fail`.
   */
  readonly unreachable?: "fail" | "warn";
  /** How long to wait for a repository that may be left out, in milliseconds. Defaults to 10 s. */
  readonly patience?: number;
}

/** Opens the repository by one shallow fetch, and makes findings of the faults that `check` finds in it. */
export async function againstRepository(
  fleet: Fleet,
  {
    finding,
    repository,
    context: given = { env: process.env },
    unreachable = "fail",
    patience = 10_000,
  }: Against,
  check: (tree: RepositoryTree) => Promise<readonly Fault[]>,
): Promise<Finding[]> {
  const context =
    unreachable === "fail" ? given : { timeouts: { fetch: patience, local: patience }, ...given };
  const { url, branch, mode, createBranch } = fleet.repository;
  const place = { location: repository ?? url, branch, committed: repository === undefined };
  try {
    const faults = await openRepository(place, context, check);
    return faults.map(({ severity, path, message }) =>
      // What is said of a whole cluster stands at its name, which is what the reader looks for.
      // What names of the repository say is shown, and does nothing in the log of a CI system.
      finding(severity, path, printable(message), path.length === 2 ? "key" : "value"),
    );
  } catch (error) {
    if (unreachable === "fail" || !(error instanceof GitError)) throw error;
    if (error.kind === "missingBranch") {
      const isMade = mode === "push";
      // An update makes it, and there is nothing on it yet to check against.
      if (isMade && createBranch !== undefined) return [];
      // Else the update would fail at its files, with everything that goes before them made.
      const message = isMade ? `${error.message} ${orHaveItMade}` : error.message;
      return [finding("error", ["repository", "branch"], message)];
    }
    const message = `could not be read, so the fleet was not checked against it. ${error.message}`;
    return [finding("warning", ["repository", "url"], message)];
  }
}

const orHaveItMade =
  "Or have the update make it: write repository.createBranch: fromDefault (it starts at the tip of the default branch) " +
  "or orphan (it starts without history).";

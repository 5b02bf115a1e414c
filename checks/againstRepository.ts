import type { Finding, Path } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { GitError } from "../git/index.ts";
import { branchMissing } from "../git/index.ts";
import type { GitContext } from "../git/index.ts";
import { cloneUrl } from "../values/repositoryUrl.ts";
import { printable } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { missingPins } from "./missingPins.ts";
import { movedTags, pinnedTags, type TagCommits } from "./movedTags.ts";
import { openRepository } from "./openRepository.ts";
import type { RepositoryTrees } from "./repositoryTree.ts";
import { missingStageBranches } from "./stageBranches.ts";

/**
 * What a repository that cannot be read means:
 *
 * - `fail` rejects with the GitError, for a command that was asked to look
 * - `warn` makes it a warning, for a preview, which must also work away from the network
 * - `stop` makes it an error, for an update: what it would delete or write over could not be seen
 */
export type Unreachable = "fail" | "warn" | "stop";

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
  /** Defaults to `fail`. A branch that is missing, and that no update makes, is an error in the other two. */
  readonly unreachable?: Unreachable;
  /** What tags pointed to at the last update, which alone knows. Defaults to nothing. */
  readonly tags?: TagCommits;
  /** How long to wait for a repository that may be left out, in milliseconds. Defaults to 10 s. */
  readonly patience?: number;
}

/** What a check against a repository made, and what was found on the way. */
export interface Answer<T> {
  readonly findings: Finding[];
  /** Undefined where the repository could not be read, or holds nothing yet. */
  readonly value: T | undefined;
}

/** Opens the repository by one shallow fetch a branch, and makes findings of the faults that `check` finds in it. */
export async function againstRepository<T>(
  fleet: Fleet,
  {
    finding,
    repository,
    context: given = { env: process.env },
    unreachable = "fail",
    patience = 10_000,
    tags = {},
  }: Against,
  check: (trees: RepositoryTrees) => Promise<{ readonly faults: readonly Fault[]; readonly value: T }>,
): Promise<Answer<T>> {
  const { url, branch, expires } = fleet.repository;
  const context = {
    tokenEnds: expires,
    ...(unreachable === "warn" && { timeouts: { fetch: patience, local: patience } }),
    ...given,
  };
  const place = {
    location: repository === undefined ? url : cloneUrl(repository),
    branch,
    follows: [...new Set(fleet.clusters.map(({ follows }) => follows))],
    committed: repository === undefined,
  };
  const at = ({ severity, path, message, name }: Fault): Finding => ({
    // What is said of a whole cluster stands at its name, which is what the reader looks for.
    // What names of the repository say is shown, and does nothing in the log of a CI system.
    ...finding(
      severity,
      path,
      printable(message),
      path.length === 2 && path[0] !== "removed" ? "key" : "value",
    ),
    ...(name !== undefined && { judgement: name }),
  });
  try {
    return await openRepository(place, context, async (trees) => {
      if (trees.committed === undefined && !isMade(fleet))
        throw branchMissing({ url: place.location, branch }, trees.branches ?? []);
      const stages = missingStageBranches(fleet, place.location, trees);
      const pins = await missingPins(fleet, place.location, trees.refs);
      const now = await pinnedTags(fleet, trees.refs);
      const moved = movedTags(fleet, place.location, now ?? {}, tags);
      const { faults, value } = await check(trees);
      return { findings: [...stages, ...pins, ...moved, ...faults].map(at), value };
    });
  } catch (error) {
    if (unreachable === "fail" || !(error instanceof GitError)) throw error;
    if (error.kind === "noBranches" && isMade(fleet)) return { findings: [], value: undefined };
    if (error.kind === "missingBranch") {
      // Else the update would fail at its files, with everything that goes before them made.
      const message = fleet.repository.mode === "push" ? `${error.message} ${orHaveItMade}` : error.message;
      return { findings: [finding("error", ["repository", "branch"], message)], value: undefined };
    }
    return { findings: [finding(...unread(error, unreachable))], value: undefined };
  }
}

/** Whether an update makes a branch that is missing: there is nothing on it yet to check against. */
function isMade({ repository: { mode, createBranch } }: Fleet): boolean {
  return mode === "push" && createBranch !== undefined;
}

function unread(error: GitError, how: "warn" | "stop"): [Finding["severity"], Path, string] {
  const path = ["repository", "url"];
  const seen = "could not be read, so the fleet was not checked against it";
  return how === "warn"
    ? ["warning", path, `${seen}; an update stops here while that lasts. ${error.message}`]
    : [
        "error",
        path,
        `${seen}, and nobody can tell what the update would delete. Nothing was changed. ${error.message}`,
      ];
}

const orHaveItMade =
  "Or have the update make it: write repository.createBranch: fromDefault (it starts at the tip of the default branch) " +
  "or orphan (it starts without history).";

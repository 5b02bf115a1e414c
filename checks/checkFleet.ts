import type { Finding, Path } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { GitError } from "../git/errors.ts";
import type { GitContext } from "../git/types.ts";
import { checkRepository, type RepositoryChecks } from "./checkRepository.ts";
import { openRepository } from "./openRepository.ts";

/** How to check a fleet. */
export interface FleetChecks extends RepositoryChecks {
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
   * preview, which must also work away from the network. Defaults to `fail`.
   */
  readonly unreachable?: "fail" | "warn";
}

/** How long a preview waits for a repository, in milliseconds. A check that may be left out must not hold it up. */
const patience = 10_000;

/**
 * Checks a fleet, or the part of it that is selected, against the repository that it will be committed to. One shallow
 * fetch, however many clusters. Changes nothing anywhere.
 */
export async function checkFleet(fleet: Fleet, checks: FleetChecks): Promise<Finding[]> {
  const { finding, repository, unreachable = "fail" } = checks;
  const given = checks.context ?? { env: process.env };
  const context =
    unreachable === "fail" ? given : { timeouts: { fetch: patience, local: patience }, ...given };
  const { url, branch } = fleet.repository;
  const place = { location: repository ?? url, branch, committed: repository === undefined };
  try {
    const faults = await openRepository(place, context, (tree) => checkRepository(fleet, tree, checks));
    return faults.map(({ severity, path, message }) =>
      // What is said of a whole cluster stands at its name, which is what the reader looks for.
      finding(severity, path, message, path.length === 2 ? "key" : "value"),
    );
  } catch (error) {
    if (unreachable === "fail" || !(error instanceof GitError)) throw error;
    const message = `could not be read, so the fleet was not checked against it. ${error.message}`;
    return [finding("warning", ["repository", "url"], message)];
  }
}

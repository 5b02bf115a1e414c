import type { Fleet } from "../fleet/model.ts";
import { printable, showNames } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import type { RepositoryTrees } from "./repositoryTree.ts";

/**
 * Errors for branches of stages that are not there, once a stage: its clusters would follow nothing, and no check could
 * tell what they lose. With `repository.createBranch` an update makes them. `location` is what messages call the repository.
 */
export function missingStageBranches(
  fleet: Fleet,
  location: string,
  { followed, branches }: RepositoryTrees,
): Fault[] {
  const { branch, mode, createBranch } = fleet.repository;
  if (branches === undefined || (mode === "push" && createBranch !== undefined)) return [];
  const missing = fleet.clusters.filter(({ follows }) => follows !== branch && !followed.has(follows));
  return [...Map.groupBy(missing, ({ stage }) => stage)].map(([stage, clusters]): Fault => {
    const [{ follows } = { follows: "" }] = clusters;
    const names = showNames(
      clusters.map(({ name }) => name),
      3,
    );
    const there = printable(showNames(branches, 10));
    const made =
      mode === "push" ? ", or write repository.createBranch: fromDefault to have the update make it" : "";
    return {
      severity: "error",
      path: stage === undefined ? ["repository", "branch"] : ["stages", stage, "branch"],
      message:
        `${location} has no branch ${follows}, so ${names} would follow nothing. Branches there: ${there}. ` +
        `Create ${follows}, name one of these${made}`,
    };
  });
}

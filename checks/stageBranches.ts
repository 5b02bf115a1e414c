import type { Fleet } from "../fleet/model.ts";
import type { NewBranch } from "../git/index.ts";
import { printable, showNames } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import type { RepositoryTrees } from "./repositoryTree.ts";

/**
 * Errors for branches of stages that are not there, once a stage: its clusters would follow nothing, and no check could
 * tell what they lose. An update makes them with `repository.createBranch: fromDefault`; a stage without history is none.
 * `location` is what messages call the repository.
 */
export function missingStageBranches(
  fleet: Fleet,
  location: string,
  { followed, branches }: RepositoryTrees,
): Fault[] {
  const { mode } = fleet.repository;
  if (branches === undefined || makesStageBranches(fleet)) return [];
  const missing = fleet.clusters.filter(({ follows }) => isMissing(follows, fleet, followed));
  return [...Map.groupBy(missing, ({ follows }) => follows)].map(([follows, clusters]): Fault => {
    const stage = clusters[0]?.stage;
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
        `Create ${follows}${startOf(follows, fleet)}, name one of these${made}`,
    };
  });
}

/** Branches of stages that an update has to make. */
export function stageBranchesToMake(
  fleet: Fleet,
  { followed, branches }: RepositoryTrees,
): readonly NewBranch[] {
  if (branches === undefined || !makesStageBranches(fleet)) return [];
  const names = fleet.clusters.map(({ follows }) => follows);
  return [...new Set(names.filter((name) => isMissing(name, fleet, followed)))]
    .sort()
    .map((name) => ({ name, from: stageBranchOf(name, fleet) }));
}

/** The branch of the stage whose ring follows this one: at the tip of any other, its clusters would get something new. */
function stageBranchOf(branch: string, { stages }: Fleet): string | undefined {
  const ring = stages.find((stage) => stage.branch === branch)?.ring;
  const whole = ring && stages.find(({ name }) => name === ring.stage)?.branch;
  return whole === branch ? undefined : whole;
}

function startOf(branch: string, fleet: Fleet): string {
  const from = stageBranchOf(branch, fleet);
  return from === undefined ? "" : ` at the tip of ${from}, since it is a ring's`;
}

function makesStageBranches({ repository: { mode, createBranch } }: Fleet): boolean {
  return mode === "push" && createBranch === "fromDefault";
}

function isMissing(name: string, { repository }: Fleet, followed: RepositoryTrees["followed"]): boolean {
  return name !== repository.branch && !followed.has(name);
}

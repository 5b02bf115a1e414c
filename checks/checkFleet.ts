import type { Finding } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { againstRepository, type Against } from "./againstRepository.ts";
import type { NewBranch } from "../git/index.ts";
import { credentialEnds } from "./credentialEnds.ts";
import { pinnedTags, type TagCommits } from "./movedTags.ts";
import { stageBranchesToMake } from "./stageBranches.ts";
import { type CheckedRepository, checkRepository, type RepositoryChecks } from "./checkRepository.ts";

/** How to check a fleet. */
export interface FleetChecks extends RepositoryChecks, Against {
  /** Judgements whose warnings are left out, beside those that the fleet file ignores; errors are heard all the same. */
  readonly ignore?: readonly string[];
}

/** What was found, and what an update has to keep of what is in the repository. */
export interface CheckedFleet extends Pick<
  CheckedRepository,
  "kept" | "mayDelete" | "released" | "waiting" | "toPromote" | "elsewhere" | "changes"
> {
  readonly findings: Finding[];
  /** Branches of stages that an update has to make first. */
  readonly toMake: readonly NewBranch[];
  /** What the tags point to that sources are pinned to, for the next update; undefined where nobody could look. */
  readonly tags: TagCommits | undefined;
}

/**
 * Checks a fleet, or the part of it that is selected, against the repository that it will be committed to and the branches
 * that its clusters follow. One shallow fetch a branch, however many clusters. Changes nothing anywhere.
 */
export async function checkFleet(fleet: Fleet, checks: FleetChecks): Promise<CheckedFleet> {
  const ignored = new Set([...fleet.ignore, ...(checks.ignore ?? [])]);
  const { findings, value } = await againstRepository(fleet, checks, async (trees) => {
    const { faults: all, ...value } = await checkRepository(fleet, trees, checks);
    const faults = all.filter(
      ({ severity, name }) => severity === "error" || name === undefined || !ignored.has(name),
    );
    return {
      faults,
      value: {
        ...value,
        toMake: stageBranchesToMake(fleet, trees),
        tags: await pinnedTags(fleet, trees.refs),
      },
    };
  });
  const { env } = checks.context ?? { env: process.env };
  const ends = await credentialEnds(fleet.repository, env, new Date());
  const ending = ends.map(({ severity, path, message }) => checks.finding(severity, path, message));
  const nothing = {
    ...{
      kept: new Map(),
      mayDelete: undefined,
      released: new Map(),
      waiting: new Set<string>(),
      toPromote: new Map(),
      elsewhere: new Map(),
      changes: [],
    },
    toMake: [],
    tags: undefined,
  };
  return { findings: [...ending, ...findings], ...(value ?? nothing) };
}

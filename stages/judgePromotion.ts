import type { Fleet } from "../fleet/model.ts";
import type { Branches, BranchLine, ToldCommit } from "../git/index.ts";
import { showNames } from "../values/show.ts";
import { comesAgain } from "./comesAgain.ts";
import { short } from "./commitOn.ts";
import { commitsBelow } from "./commitsBelow.ts";
import { type Gate, passes, stops, stopsUnless } from "./gate.ts";
import { checksGate } from "./gates/checks.ts";
import { definitionsGate } from "./gates/definitions.ts";
import { deletionsGate } from "./gates/deletions.ts";
import { freezeGate } from "./gates/freeze.ts";
import { limitGate } from "./gates/limit.ts";
import { readyGate } from "./gates/ready.ts";
import { soakGate } from "./gates/soak.ts";
import { missingHotfixes } from "./missingHotfixes.ts";
import { clustersOf, type Route, wayTo } from "./route.ts";
import type { Trace } from "./trace.ts";
import type { World } from "./world.ts";

/** What whoever promotes says beside the stage. */
export interface Passing {
  /** What was rolled back may come again. */
  readonly again: boolean;
  /** What cannot be asked is passed over. */
  readonly unverified: boolean;
  /** Why a freeze is passed. */
  readonly emergency?: string | undefined;
  /** Why more clusters are reached at once than the fleet file lets. */
  readonly all?: string | undefined;
}

/** The two ends of a promotion. */
export interface Ends {
  readonly stage: BranchLine | undefined;
  readonly before: BranchLine;
  readonly commit: ToldCommit;
  /** Undefined where the stage has no branch yet. */
  readonly trace: Trace | undefined;
}

/** Every gate of a promotion, each with what was seen. */
export async function judgePromotion(
  fleet: Fleet,
  route: Route,
  ends: Ends,
  repository: Branches,
  passing: Passing,
  world: World,
): Promise<Gate[]> {
  const { stage, before, from, clusters } = route;
  const { commit } = ends;
  const provers = before === undefined ? [] : clustersOf(fleet, before);
  const [own, deletions, ready, checks] = await Promise.all([
    ownGates(fleet, route, ends, repository, passing),
    goesGate(),
    readyGate(before?.name, provers, commit.id, world.ask, passing.unverified),
    checksGate(stage, commit.id, world.statuses, passing.unverified),
  ]);
  return [
    ...own,
    definitionsGate(stage, before),
    deletions,
    ready,
    soakGate(stage, from.name, ends.before, commit, world.now()),
    checks,
    freezeGate(clusters, passing.emergency, "say why it cannot wait: --emergency REASON"),
    limitGate(fleet, route, passing.all),
  ];

  async function goesGate(): Promise<Gate> {
    if (ends.stage === undefined) return passes("deletions", "the branch is new");
    const [tip] = ends.stage.line;
    const changes = await repository.changes(tip.tree, commit.tree);
    const move = { branch: stage.branch, from: tip, to: commit, changes };
    return (await deletionsGate(fleet, clusters, move, repository, world.applied)).gate;
  }
}

/** What the stage has alone, and where it already was. */
async function ownGates(
  fleet: Fleet,
  route: Route,
  { stage, before, commit, trace }: Ends,
  repository: Branches,
  { again }: Passing,
): Promise<Gate[]> {
  if (stage === undefined || trace === undefined)
    return [
      passes("hotfixes", "the branch is new"),
      passes("rollback", "the branch is new"),
      passes("order", "the branch is new"),
    ];
  const { name } = route.stage;
  const [tip] = stage.line;
  const [hotfixes, returns] = await Promise.all([
    missingHotfixes(trace, stage, before, commit, repository),
    comesAgain(trace, tip, commit, repository),
  ]);
  const lost = hotfixes.map(
    (one) =>
      `${short(one.commit.id)} by ${one.commit.author} (${one.commit.subject}): ${showNames(one.paths, 5)}`,
  );
  const back = returns.map(
    ({ rollback, paths }) =>
      `${short(rollback.id)} by ${rollback.author} took back ${showNames(paths, 5)}, and ${short(commit.id)} has that as it was`,
  );
  const way = hotfixes.length === 0 ? "" : await wayOut();
  const { source } = trace.base;
  return [
    lost.length === 0
      ? passes("hotfixes", "nothing is on the stage alone")
      : stops("hotfixes", `only ${name} has\n${lost.join("\n")}\n${way}`),
    back.length === 0
      ? passes("rollback", "nothing that was taken back comes again")
      : stopsUnless(
          again ? "--again" : undefined,
          "rollback",
          back.join("\n"),
          "Mend it, or promote it --again",
        ),
    isOlder(before, commit, source) && returns.length === 0
      ? stops(
          "order",
          `${name} is further than ${short(commit.id)}: it has ${short(source.id)}. To go back: arcflux rollback ${name}`,
        )
      : passes("order", "it is not older than what the stage has"),
  ];

  /** What the branch of updates has already only has to come the way of everything. */
  async function wayOut(): Promise<string> {
    const main = fleet.repository.branch;
    const stages = route.before === undefined ? [] : wayTo(fleet, route.before);
    const updates = stages.length === 0 ? undefined : await repository.line(main);
    const open = updates && (await missingHotfixes(trace!, stage!, updates, updates.line[0], repository));
    if (open?.length === 0)
      return `${main} has it: ${stages.map((one) => `arcflux promote ${one.name}`).join(", then ")} first`;
    const isMerge = hotfixes.some((one) => one.commit.parents.length > 1);
    const pick = `git cherry-pick -x${isMerge ? " (of a merge with -m 1)" : ""}`;
    return `Take it into ${before.branch} first: arcflux hotfix ${name} COMMIT, or ${pick}`;
  }
}

/** Older than what the stage has; where that is not on the branch's own line, what is not built on it. */
function isOlder({ line, all }: BranchLine, { id }: ToldCommit, source: ToldCommit): boolean {
  const at = (one: string): number => line.findIndex((commit) => commit.id === one);
  return at(source.id) >= 0 ? at(id) > at(source.id) : !commitsBelow(id, all).has(source.id);
}

import type { Fleet } from "../fleet/model.ts";
import {
  type Branches,
  type BranchLine,
  GitError,
  personOf,
  stageMessage,
  type ToldCommit,
  withBranches,
} from "../git/index.ts";
import { attempts, mustRead } from "./commitOn.ts";
import type { Gate } from "./gate.ts";
import { freezeGate } from "./gates/freeze.ts";
import { type Picked, readPick, type Target, targetsOf } from "./pick.ts";
import { clustersOf, ringsOf, stageOf } from "./route.ts";
import { StageError } from "./stageError.ts";
import type { World } from "./world.ts";

export interface HotfixRequest {
  readonly stage: string;
  /** Hash of a commit on one of the two branches, or the beginning of it; else the branch whose tip it is. */
  readonly commit: string;
  readonly emergency?: string | undefined;
  readonly dryRun: boolean;
}

export interface Hotfixed {
  readonly outcome: "done" | "same" | "stopped" | "possible";
  readonly commit: ToldCommit;
  readonly gates: readonly Gate[];
  /** The stage's branch, and the one that updates commit to. */
  readonly targets: readonly Target[];
}

/**
 * Puts the change of one commit on a stage and on the branch that updates commit to, path by path: where a branch has what
 * the commit's parent had, it gets what the commit has. Where one of the two has anything else, nothing is done. Run again
 * after a failure, it finds what is there already. Rejects with StageError or GitError.
 */
export function hotfix(fleet: Fleet, request: HotfixRequest, world: World): Promise<Hotfixed> {
  const stage = stageOf(fleet, request.stage);
  const rings = ringsOf(fleet, stage.name);
  const parts = rings.length === 0 ? [stage] : rings;
  const { url, branch: main } = fleet.repository;
  if (stage.branch === main)
    throw new StageError(
      `Stage ${stage.name} follows ${main} itself: commit the change there, and it is on the stage.`,
    );
  return withBranches(url, world.git, async (repository) => {
    const made = new Map<string, Target>();
    for (let attempt = 1; ; attempt += 1) {
      const lines = [
        ...(await inTurn(parts, ({ name, branch }) => mustRead(repository, branch, `stage ${name} follows`))),
        await mustRead(repository, main, "updates commit to"),
      ];
      const picked = await readPick(request.commit, lines, repository);
      const targets = await targetsOf(picked, lines, repository);
      const gate = freezeGate(
        parts.flatMap((part) => clustersOf(fleet, part)),
        request.emergency,
        "say why it cannot wait: --emergency REASON",
      );
      const found = { commit: picked.commit, gates: [gate], targets };
      const open = targets.filter(({ state }) => state !== "has");
      if (open.length === 0)
        return made.size === 0
          ? { ...found, outcome: "same" }
          : { ...found, outcome: "done", targets: targets.map((one) => made.get(one.branch) ?? one) };
      if (gate.state === "stops" || open.some(({ state }) => state === "differs"))
        return { ...found, outcome: "stopped", targets: targets.map((one) => made.get(one.branch) ?? one) };
      if (request.dryRun) return { ...found, outcome: "possible" };
      if (attempt > attempts)
        throw new GitError(
          "race",
          `Others pushed first each of ${attempts} times. Run again when it is quieter: what is there already is found.`,
        );
      // The stage first, since it is what is broken. What was pushed is found by the next round.
      for (const target of open) {
        const line = lines.find(({ branch }) => branch === target.branch)!;
        const commit = await pickOn(fleet, line, target, picked, { request, repository, world });
        try {
          if (!(await repository.push(commit, target.branch, line.line[0].id))) break;
        } catch (error) {
          const has = targets.filter(({ state }) => state === "has").map(({ branch }) => branch);
          throw halfDone(error, [...new Set([...has, ...made.keys()])]);
        }
        made.set(target.branch, { ...target, made: commit });
      }
    }
  });
}

async function inTurn<T, U>(all: readonly T[], step: (each: T) => Promise<U>): Promise<U[]> {
  const done: U[] = [];
  for (const each of all) done.push(await step(each));
  return done;
}

/** A branch that takes no push, such as a protected one, leaves the other with the change: what is missing is said. */
function halfDone(error: unknown, done: readonly string[]): unknown {
  if (!(error instanceof GitError) || done.length === 0) return error;
  return new GitError(
    error.kind,
    `Half done: ${done.join(" and ")} has the change.\n${error.message}\nRun it again when that is mended, or bring it there by a pull request with "cherry-pick -x": until then no promotion to the stage passes.`,
  );
}

interface Picking {
  readonly request: HotfixRequest;
  readonly repository: Branches;
  readonly world: World;
}

/** As `git cherry-pick -x`: the author stays, the committer is who did it. */
async function pickOn(
  { repository: { commit: own } }: Fleet,
  { line: [tip] }: BranchLine,
  { paths }: Target,
  { commit, changes }: Picked,
  { request, repository, world }: Picking,
): Promise<string> {
  const taken = changes.filter(({ path }) => paths.includes(path));
  await repository.obtain(
    taken.flatMap(({ to }) => (to === undefined || to.mode === "160000" ? [] : [to.id])),
  );
  return repository.commit({
    tree: await repository.treeWith(tip.tree, new Map(taken.map(({ path, to }) => [path, to ?? null]))),
    parents: [tip.id],
    message: stageMessage(commit.message, {
      operation: "hotfix",
      stage: request.stage,
      from: commit.id,
      emergency: request.emergency,
    }),
    author: { name: commit.author, email: commit.email },
    committer: (await personOf(world.git)) ?? own.committer ?? { name: own.name, email: own.email },
    ...(own.signing && { signing: own.signing }),
  });
}

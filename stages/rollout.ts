import type { Fleet, Stage } from "../fleet/model.ts";
import { withBranches } from "../git/index.ts";
import { mustRead, short } from "./commitOn.ts";
import { onlyWaits } from "./gate.ts";
import type { Passing } from "./judgePromotion.ts";
import { promote, type Promotion } from "./promote.ts";
import { type RolledBack, rollBack } from "./rollback.ts";
import { ringsOf, stageOf } from "./route.ts";
import { StageError } from "./stageError.ts";
import type { World } from "./world.ts";

/**
 * What became of the step into a ring:
 *
 * - `moved`: it has now what the ring before has
 * - `same`: it has had that already
 * - `waits`: only time is missing, for the ring before to be ready for its soak
 * - `failed`: more clusters of the ring before fail than may; nothing goes on by itself
 * - `stopped`: a gate stops it that time does not change
 * - `possible`: it would move, and it was only asked
 */
export type StepState = "moved" | "same" | "waits" | "failed" | "stopped" | "possible";

/** A ring with the step that brings it what the one before has. */
export interface RingStep {
  readonly ring: Stage;
  readonly before: Stage;
  readonly state: StepState;
  readonly promotion: Promotion;
}

/**
 * Moves every ring that may to what the one before it has, and leaves the others as they are. Each step is a promotion with
 * its gates, from the last ring to the second, so that no change passes two rings at once. All that it knows is in the
 * fleet file and in Git: killed between two steps, the next call goes on. Rejects with StageError or GitError.
 */
export async function rolloutNext(
  fleet: Fleet,
  stage: string,
  passing: Passing & { readonly dryRun: boolean },
  world: World,
): Promise<RingStep[]> {
  const rings = mustHaveRings(fleet, stage);
  const steps: RingStep[] = [];
  for (let index = rings.length - 1; index > 0; index -= 1) {
    const [before, ring] = [rings[index - 1]!, rings[index]!];
    const request = { ...passing, stage: ring.name, pullRequest: false };
    const promotion = await promote(fleet, request, world);
    steps.unshift({ ring, before, state: stateOf(promotion), promotion });
  }
  return steps;
}

function stateOf({ outcome, gates }: Promotion): StepState {
  if (outcome === "promoted" || outcome === "requested") return "moved";
  if (outcome !== "stopped") return outcome;
  if (gates.some(({ state, isFailing }) => state === "stops" && isFailing === true)) return "failed";
  return onlyWaits(gates) ? "waits" : "stopped";
}

/** A ring that an abort took back, or found as the last ring is. */
export interface RingBack {
  readonly ring: Stage;
  /** Absent where the ring has what the last one has. */
  readonly back?: RolledBack;
}

/**
 * Takes every ring back to what the last ring has, each by a rollback of its own: what was rolled out does not come again
 * by itself. Killed between two rings, it is run again. Rejects with StageError or GitError.
 */
export async function abortRollout(
  fleet: Fleet,
  stage: string,
  request: { readonly reason?: string | undefined; readonly now: boolean; readonly dryRun: boolean },
  world: World,
): Promise<RingBack[]> {
  const rings = mustHaveRings(fleet, stage);
  const last = rings.at(-1)!;
  const targets = await withBranches(fleet.repository.url, world.git, async (repository) => {
    const { line } = await mustRead(repository, last.branch, `stage ${stage} follows`);
    const found: { ring: Stage; to: string | undefined }[] = [];
    for (const ring of rings.slice(0, -1)) {
      const own = await mustRead(repository, ring.branch, `ring ${ring.name} follows`);
      const had = own.line.find(({ tree }) => tree === line[0].tree);
      if (had === undefined)
        throw new StageError(
          `${ring.branch} never had what ${last.branch} has at ${short(line[0].id)}. Take it back by hand: arcflux rollback ${ring.name} --to COMMIT.`,
        );
      found.push({ ring, to: had.id === own.line[0].id ? undefined : had.id });
    }
    return found;
  });
  const backs: RingBack[] = [];
  for (const { ring, to } of targets) {
    const asked = { of: ring.name, to, yes: true, ...request };
    backs.push(to === undefined ? { ring } : { ring, back: await rollBack(fleet, asked, world) });
  }
  return backs;
}

/** The rings of a stage that promotions move. Throws StageError where there are none. */
function mustHaveRings(fleet: Fleet, name: string): readonly Stage[] {
  const rings = ringsOf(fleet, name);
  if (rings.length > 0) return rings;
  stageOf(fleet, name);
  throw new StageError(
    `Stage ${name} has no rings that a promotion moves. Write stages.${name}.rings, and give the stage a branch of its own.`,
  );
}

/** By what a change comes into a stage: its first ring, or the stage itself. */
export function entryOf(fleet: Fleet, stage: string): string {
  return ringsOf(fleet, stage)[0]?.name ?? stage;
}

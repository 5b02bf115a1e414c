import { buildChain } from "./chain.ts";
import type { Step } from "./chain.ts";
import type { WritePlan } from "./plan.ts";
import { planOnTip } from "./planOnTip.ts";
import { scratchSource } from "./planSource.ts";
import type { Start } from "./createBranch.ts";
import { GitError } from "../words/errors.ts";
import type { Open } from "./member.ts";
import type { Scratch } from "../plumbing/scratch.ts";

/** What becomes of some members on a tip. */
export interface Prepared {
  readonly plans: ReadonlyMap<Open, WritePlan>;
  /** The commits to push, a chain on the tip. */
  readonly steps: readonly (Step & { readonly of: Open; readonly plan: WritePlan })[];
  /** Why there is no commit for a member that changes something. */
  readonly unsigned: ReadonlyMap<Open, GitError>;
}

/** Plans all members on the tip, and makes the commits of those that change something. */
export async function prepare(scratch: Scratch, tip: Start, members: readonly Open[]): Promise<Prepared> {
  const asked = members.map((of) => ({ of, asked: of.member.request, compare: of.member.context.compare }));
  const planned = await planOnTip(scratchSource(scratch, tip.history), tip, asked);
  const plans = new Map([...planned].map(([{ of }, plan]) => [of, plan]));
  const changing = [...plans].flatMap(([of, plan]) => {
    // A branch is made for what is there already, too.
    const creates = tip.create && of.member.request.remove !== true;
    return plan.conflicts.length === 0 && (plan.changes.size > 0 || creates) ? [{ of, plan }] : [];
  });
  const parts = changing.map(({ of, plan }) => ({ request: of.member.request, ...plan }));
  const steps: Prepared["steps"][number][] = [];
  const unsigned = new Map<Open, GitError>();
  for (const [index, made] of (await buildChain(scratch, tip, parts)).entries()) {
    const part = changing[index];
    if (part === undefined) continue;
    if (made instanceof GitError) unsigned.set(part.of, made);
    else steps.push({ ...made, ...part });
  }
  return { plans, steps, unsigned };
}

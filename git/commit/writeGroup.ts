import { backoff } from "./backoff.ts";
import { byCommit, conflictError } from "./conflict.ts";
import { startingPoint } from "./createBranch.ts";
import type { Start } from "./createBranch.ts";
import type { Conflict } from "../words/errors.ts";
import type { Lobby } from "./gather.ts";
import { lastChanges, searched } from "../plumbing/history.ts";
import { locate } from "../plumbing/locate.ts";
import { requestsOf } from "./member.ts";
import type { Member, Open } from "./member.ts";
import { firstOfEach } from "./overlap.ts";
import { pathsOf } from "./asked.ts";
import { resultOf } from "./plan.ts";
import type { WritePlan } from "./plan.ts";
import { prepare } from "./prepare.ts";
import type { Prepared } from "./prepare.ts";
import { push } from "./push.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import type { ObjectId, WriteRequest, WriteResult } from "../words/types.ts";

/** Writes to one branch that share their pushes: a commit for each member, one push for all. */
export class GroupWrite {
  readonly #lobby: Lobby<Member>;
  readonly #tell: (tell: () => void) => void;
  #open: Set<Open> | undefined;
  #conflicted = new Map<Open, readonly Conflict[]>();

  /** `settle` gets what tells a member its result. */
  constructor(lobby: Lobby<Member>, settle: (tell: () => void) => void) {
    this.#lobby = lobby;
    this.#tell = settle;
  }

  /** Finds the result of every member, or throws; may then be called again with another scratch repository. */
  async writeWith(scratch: Scratch): Promise<void> {
    this.#conflicted = new Map();
    const waiting = this.#lobby.waiting().map(({ request }) => request);
    const tip = await fetchTip(scratch, waiting);
    // While the door is still open; whoever comes later mostly needs the same folders.
    await locate(tip.tree, waiting.flatMap(pathsOf), scratch.loadTrees);
    const ready = this.#open === undefined ? await this.#prepareEarly(scratch, tip) : undefined;
    this.#open ??= await this.#enter(ready);
    const judged = new RefusalCount();
    let next: Start | undefined = tip;
    for (let rest: readonly Open[] = [...this.#open]; rest.length > 0;) {
      // Writes to the same path one after the other: the second has to see what became of the first.
      const { chosen, later } = firstOfEach(rest, ({ member }) => pathsOf(member.request));
      const asPrepared = chosen.length === ready?.plans.size && chosen.every((open) => ready.plans.has(open));
      await this.#push(scratch, chosen, judged, next, asPrepared ? ready : undefined);
      next = undefined;
      rest = later;
    }
    await this.#reportConflicts(scratch, tip.history);
  }

  /** Makes the commits of who is there while the door is still open: mostly nobody else comes, and they are pushed. */
  async #prepareEarly(scratch: Scratch, tip: Start): Promise<Prepared> {
    const open = this.#lobby.waiting().map((member): Open => ({ member, tries: 0 }));
    const { chosen } = firstOfEach(open, ({ member }) => pathsOf(member.request));
    return prepare(scratch, tip, chosen);
  }

  async #enter(ready: Prepared | undefined): Promise<Set<Open>> {
    const known = new Map([...(ready?.plans.keys() ?? [])].map((open) => [open.member, open]));
    const members = await this.#lobby.close();
    return new Set(members.map((member) => known.get(member) ?? { member, tries: 0 }));
  }

  /** Brings members whose paths do not meet to the branch. */
  async #push(
    scratch: Scratch,
    members: readonly Open[],
    judged: RefusalCount,
    first?: Start,
    prepared?: Prepared,
  ): Promise<void> {
    const { session } = scratch;
    let [tip, ready] = [first, prepared];
    for (let attempt = 1, left = members; ; attempt += 1) {
      tip ??= await fetchTip(scratch, requestsOf(left));
      const prepared = ready ?? (await prepare(scratch, tip, left));
      const { steps } = prepared;
      this.#settleOthers(prepared, tip);
      const [head] = steps.slice(-1);
      if (head === undefined) return;
      const failure = await push(scratch, head.commit, head.request.branch, tip);
      left = steps.map(({ of }) => of);
      for (const { of, commit } of steps)
        Object.assign(of, { tries: of.tries + 1, last: { commit, head: head.commit } });
      if (failure === undefined) {
        judged.landed();
        for (const { of, plan, commit } of steps) {
          this.#resolve(of, plan, plan.changes.size > 0 ? "committed" : "unchanged", commit);
        }
        return;
      }
      if (failure.kind === "refused" && left.length > 1) {
        for (const part of judged.split(left)) await this.#push(scratch, part, judged);
        return;
      }
      if (failure.kind === "refused") judged.refusedOne();
      if (failure.kind !== "race" || attempt >= session.maxAttempts) {
        const tries = attempt === 1 ? "" : ` (attempt ${attempt})`;
        const { url, branch } = head.request;
        const error = session.failure(`The push to branch ${branch} of ${url} failed${tries}`, failure);
        for (const open of left) this.#settle(open, () => open.member.reject(error));
        return;
      }
      session.assertAlive();
      await session.sleep(backoff(attempt, session.random));
      [tip, ready] = [undefined, undefined];
    }
  }

  /** Settles those that need no push. */
  #settleOthers({ plans, steps, unsigned }: Prepared, tip: Start): void {
    const pushed = new Set(steps.map(({ of }) => of));
    for (const [of, plan] of plans) {
      const error = unsigned.get(of);
      if (plan.conflicts.length > 0) this.#conflicted.set(of, plan.conflicts);
      else if (error !== undefined) this.#settle(of, () => of.member.reject(error));
      else if (pushed.has(of)) continue;
      // Reported as lost and yet there: the push was ours.
      else if (tip.commit === of.last?.head) this.#resolve(of, plan, "committed", of.last.commit);
      else this.#resolve(of, plan, "unchanged", tip.commit);
    }
  }

  #resolve(open: Open, plan: WritePlan, kind: WriteResult["kind"], commit: ObjectId): void {
    this.#settle(open, () => open.member.resolve({ kind, commit, ...resultOf(plan), attempts: open.tries }));
  }

  #settle(open: Open, tell: () => void): void {
    this.#open?.delete(open);
    this.#tell(tell);
  }

  /** Last, since it takes a while to find who changed a file, and the pushes of the others need not wait for that. */
  async #reportConflicts(scratch: Scratch, history: string | undefined): Promise<void> {
    const all = [...this.#conflicted.values()].flat().filter(({ kind }) => byCommit.has(kind));
    if (this.#conflicted.size === 0) return;
    const paths = all.map(({ path }) => path);
    const changes =
      history === undefined ? undefined : await lastChanges(scratch, history, paths).catch(() => undefined);
    for (const [open, conflicts] of this.#conflicted) {
      const named = conflicts.map((conflict) => ({ ...conflict, by: changes?.get(conflict.path) }));
      const { request } = open.member;
      const error = conflictError(request, named, changes && searched);
      this.#settle(open, () => open.member.reject(error));
    }
  }
}

/** What the server's refusals of a group tell about how to go on with its parts. */
class RefusalCount {
  #landed = 0;
  #alone = 0;

  landed(): void {
    this.#landed += 1;
  }

  refusedOne(): void {
    this.#alone += 1;
  }

  /**
   * Parts to push by themselves, so that whom the server refuses does not take the others along: halves, since mostly
   * one is to blame; singles once it looks as if all are.
   */
  split<T>(members: readonly T[]): (readonly T[])[] {
    if (this.#landed === 0 && this.#alone > 1) return members.map((member) => [member]);
    const half = Math.ceil(members.length / 2);
    return [members.slice(0, half), members.slice(half)];
  }
}

async function fetchTip(scratch: Scratch, requests: readonly WriteRequest[]): Promise<Start> {
  const [request] = requests;
  if (request === undefined) throw new Error("a group without members");
  return startingPoint(scratch, requests, await scratch.fetchTip(request.branch));
}

import { nobodyAsked } from "../checks/deletions/index.ts";
import type { Fleet } from "../fleet/model.ts";
import {
  type Branches,
  type BranchLine,
  stageMessage,
  type ToldCommit,
  type TreeChange,
  withBranches,
} from "../git/index.ts";
import { showNames } from "../values/show.ts";
import { attempts, movedTooOften, mustRead, short, signatureOf } from "./commitOn.ts";
import { type Gate, stopsUnless } from "./gate.ts";
import { deletionsGate } from "./gates/deletions.ts";
import { freezeGate } from "./gates/freeze.ts";
import { mustBeSomewhere } from "./mustBeSomewhere.ts";
import { refuseInexact } from "./pathText.ts";
import { pinsAt, type PinBack } from "./pinsAt.ts";
import { generatedPaths, inventoriesFor } from "./generated.ts";
import { type Scope, scopeOf } from "./scope.ts";
import { StageError } from "./stageError.ts";
import { earlierState } from "./earlierState.ts";
import { traceStage } from "./trace.ts";
import type { World } from "./world.ts";

export interface RollbackRequest {
  /** A stage, or a cluster. */
  readonly of: string;
  /** A commit of the branch's own line, or a time. Defaults to the state before the last promotion. */
  readonly to?: string | undefined;
  /** A folder or file, or a set: only that goes back. */
  readonly only?: string | undefined;
  readonly reason?: string | undefined;
  /** The emergency: freezes are passed, and nobody is asked but Git. */
  readonly now: boolean;
  /** What else goes back, and with `now` what is deleted, is known and meant. */
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/** `asks`: something else goes back too, and nobody has said yes. Others as for a promotion. */
export type RollbackOutcome = "rolledBack" | "same" | "stopped" | "asks" | "possible";

export interface RolledBack {
  readonly outcome: RollbackOutcome;
  readonly scope: Scope;
  readonly target: ToldCommit;
  readonly gates: readonly Gate[];
  /** Commits that go back too although they are no promotion: hotfixes, changes of others. */
  readonly also: readonly ToldCommit[];
  readonly paths: readonly string[];
  /** What the fleet file has to say, so that the next promotion does not bring it again. */
  readonly pins: readonly PinBack[];
  readonly notes: readonly string[];
  readonly made?: string;
}

/**
 * Makes a stage, or a part of it, what it was: by one new commit, never by a reset. On the branch that updates commit to,
 * what is generated is taken back by the fleet file alone. Rejects with StageError or GitError.
 */
export function rollBack(fleet: Fleet, request: RollbackRequest, world: World): Promise<RolledBack> {
  const scope = scopeOf(fleet, request.of, request.only);
  return withBranches(fleet.repository.url, world.git, async (repository) => {
    for (let attempt = 1; ; attempt += 1) {
      const found = await look(fleet, scope, request, repository, world);
      const { line, plan, tree } = found;
      if (plan.outcome !== "rolledBack") return plan;
      const made = await commit(fleet, { line, plan, tree }, request, repository, world);
      if (await repository.push(made, line.branch, line.line[0].id)) return { ...plan, made };
      if (attempt === attempts) throw movedTooOften(line.branch);
    }
  });
}

interface Found {
  readonly line: BranchLine;
  readonly plan: RolledBack;
  /** What the branch gets. */
  readonly tree: string;
}

async function look(
  fleet: Fleet,
  scope: Scope,
  request: RollbackRequest,
  repository: Branches,
  world: World,
): Promise<Found> {
  const { branch, clusters, includes } = scope;
  const line = await mustRead(repository, branch, `${request.of} follows`);
  const before =
    scope.from === undefined ? undefined : await mustRead(repository, scope.from, `${branch} takes from`);
  const trace = before && (await traceStage(line, before, repository));
  const target = earlierState(line, trace, request.to, scope);
  const [tip] = line.line;
  const all = await repository.changes(tip.tree, target.tree);
  const changes = all.filter(({ path }) => includes(path));
  const paths = changes.map(({ path }) => path);
  const notes = scope.isWhole ? [] : leftOut(all, scope);
  const base = { scope, target, paths, notes };
  const none = { gates: [], also: [], pins: [] };
  if (changes.length === 0 && scope.path !== undefined)
    await mustBeSomewhere(scope.path, line, target, scope, repository);
  if (!scope.isWhole)
    refuseInexact(paths, "Take back the whole stage, or name with --only what is beside it.");
  if (changes.length === 0) return { line, tree: tip.tree, plan: { ...base, ...none, outcome: "same" } };

  const readers = { from: repository.reader(branch, tip), to: repository.reader(branch, target) };
  if (scope.from === undefined) {
    const generated = await generatedPaths(scope.concerned(paths), readers);
    refuseGenerated(
      branch,
      paths.filter((path) => generated.has(path)),
    );
  }
  const leaves = new Map(changes.map((change) => [change.path, change.to ?? null]));
  const there = scope.isWhole ? target.tree : await repository.treeWith(tip.tree, leaves);
  const tree = scope.isWhole
    ? there
    : await repository.treeWith(
        there,
        await inventoriesFor(scope.concerned(paths), changes, readers, repository),
      );
  const move = { branch, from: tip, to: { ...target, tree: there }, changes };
  const applied = request.now ? nobodyAsked : world.applied;
  const { gate } = await deletionsGate(fleet, clusters, move, repository, applied);
  const reason = request.now ? (request.reason ?? "--now") : undefined;
  const gates = [
    gate.state === "stops" && request.now
      ? stopsUnless(
          request.yes ? "--now --yes" : undefined,
          "deletions",
          gate.text,
          "If that is meant: --yes",
        )
      : gate,
    freezeGate(clusters, reason, "pass it with --now --reason TEXT"),
  ];
  const also = trace === undefined ? [] : ownBetween(line, target, trace.own, includes);
  const pins = await pinsAt(scope, changes, readers);
  const outcome = gates.some(({ state }) => state === "stops")
    ? "stopped"
    : request.dryRun
      ? "possible"
      : also.length > 0 && !request.yes
        ? "asks"
        : "rolledBack";
  await obtain(outcome, changes, repository);
  return { line, tree, plan: { ...base, outcome, gates, also, pins } };
}

/** Files of the earlier state, which a push sends again where the tip does not have them. */
async function obtain(
  outcome: RollbackOutcome,
  changes: readonly TreeChange[],
  repository: Branches,
): Promise<void> {
  if (outcome !== "rolledBack") return;
  await repository.obtain(
    changes.flatMap(({ to }) => (to === undefined || to.mode === "160000" ? [] : [to.id])),
  );
}

/** Changes put on the stage alone that a rollback past them takes back too. */
function ownBetween(
  { line }: BranchLine,
  target: ToldCommit,
  own: readonly { readonly commit: ToldCommit; readonly changes: readonly TreeChange[] }[],
  includes: Scope["includes"],
): ToldCommit[] {
  const passed = new Set(
    line
      .slice(
        0,
        line.findIndex(({ id }) => id === target.id),
      )
      .map(({ id }) => id),
  );
  return own
    .filter(({ commit: { id }, changes }) => passed.has(id) && changes.some(({ path }) => includes(path)))
    .map((step) => step.commit);
}

/** What a part leaves as it is, though it changed as well. */
function leftOut(all: readonly TreeChange[], { includes, cluster, stage }: Scope): string[] {
  const others = all.filter(({ path }) => !includes(path)).map(({ path }) => path);
  if (others.length === 0) return [];
  const shared =
    cluster === undefined
      ? ""
      : ` What other clusters share goes back for all of them: arcflux rollback ${stage ?? ""} --only PATH; or pin it for ${cluster.name} in the fleet file.`;
  return [`As it is stays ${showNames(others, 5)}.${shared}`];
}

function refuseGenerated(branch: string, paths: readonly string[]): void {
  if (paths.length === 0) return;
  throw new StageError(
    `${showNames(paths, 3)}: on ${branch}, which updates commit to, generated files are taken back by the fleet file alone. Edit it and run pulumi up, or arcflux commit; --only PATH takes back the rest.`,
  );
}

async function commit(
  fleet: Fleet,
  { line, plan, tree }: Found,
  { reason, now }: RollbackRequest,
  repository: Branches,
  world: World,
): Promise<string> {
  const { scope, target, also, gates } = plan;
  const what = scope.only ?? scope.cluster?.name;
  const lines = [
    `To: ${target.subject}`,
    ...also.map((one) => `- also ${short(one.id)} by ${one.author}: ${one.subject}`),
    ...gates
      .filter(({ state }) => state === "passedOver")
      .map(({ gate, text }) => `- ${gate}: ${text.replaceAll(/\s+/g, " ")}`),
  ];
  const text = `Roll ${scope.stage ?? scope.branch} back to ${short(target.id)}${what === undefined ? "" : `, ${what} alone`}\n\n${lines.join("\n")}`;
  return repository.commit({
    tree,
    parents: [line.line[0].id],
    message: stageMessage(text, {
      operation: "rollback",
      stage: scope.stage ?? scope.branch,
      from: target.id,
      only: what,
      reason,
      emergency: now ? (reason ?? "--now") : undefined,
    }),
    ...(await signatureOf(fleet, world.git)),
  });
}

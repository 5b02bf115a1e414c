import { type PinnedTrees, pinnedTrees } from "../checks/pinnedTrees.ts";
import type { Fleet } from "../fleet/model.ts";
import {
  type Branches,
  type BranchLine,
  GitError,
  requestMerge,
  type StageAct,
  stageActOf,
  stageMessage,
  type ToldCommit,
  type TreeReader,
  withBranches,
} from "../git/index.ts";
import { attempts, movedTooOften, commitOn, mustRead, short, signatureOf } from "./commitOn.ts";
import type { Gate } from "./gate.ts";
import { judgePromotion, type Ends, type Passing } from "./judgePromotion.ts";
import { type Route, routeOf } from "./route.ts";
import { StageError } from "./stageError.ts";
import { traceStage } from "./trace.ts";
import type { World } from "./world.ts";

export interface PromoteRequest extends Passing {
  readonly stage: string;
  /** Hash, or the beginning of one, on the branch before. Defaults to its tip. */
  readonly commit?: string | undefined;
  /** Only looks. */
  readonly dryRun: boolean;
  /** Opens a pull request, whatever the stage says. */
  readonly pullRequest: boolean;
}

/**
 * - `promoted`: the branch of the stage holds it
 * - `requested`: a pull request of it is open
 * - `same`: the stage had that very tree already
 * - `stopped`: a gate stops it; nothing was changed
 * - `possible`: every gate lets it pass, and it was only asked
 */
export type Outcome = "promoted" | "requested" | "same" | "stopped" | "possible";

export interface Promotion {
  readonly outcome: Outcome;
  readonly route: Route;
  /** What is promoted. */
  readonly commit: ToldCommit;
  readonly gates: readonly Gate[];
  /** What somebody should know, and that stops nothing. */
  readonly notes: readonly string[];
  /** The merge commit. */
  readonly made?: string;
  readonly request?: { readonly branch: string; readonly url?: string };
}

/** What a promotion would bring, before and after; `before` is absent where the stage has no branch yet. */
export interface Sides {
  readonly before: TreeReader | undefined;
  readonly after: TreeReader;
  /** What clusters see of the repository at a pin; the same on both sides. */
  readonly pinned: PinnedTrees;
}

/**
 * Makes the tree of a stage that of a commit of the branch before, by one merge commit, once every gate lets it pass. A lost
 * race looks at everything anew. `look` is handed both sides of a dry run. Rejects with StageError or GitError.
 */
export function promote(
  fleet: Fleet,
  request: PromoteRequest,
  world: World,
  look: (route: Route, sides: Sides) => Promise<void> = () => Promise.resolve(),
): Promise<Promotion> {
  const route = routeOf(fleet, request.stage);
  return withBranches(fleet.repository.url, world.git, async (repository) => {
    for (let attempt = 1; ; attempt += 1) {
      const ends = await endsOf(route, request.commit, repository);
      const done = { route, commit: ends.commit, notes: notesOf(ends) };
      const tip = ends.stage?.line[0];
      const isAsked = request.pullRequest || route.stage.approval === "pullRequest";
      if (isAsked && tip === undefined) throw nothingToMergeInto(route, ends.commit);
      if (tip?.tree === ends.commit.tree) return { ...done, outcome: "same", gates: [] };
      const gates = await judgePromotion(fleet, route, ends, repository, request, world);
      if (request.dryRun) {
        const readerOf = (branch: string, commit: ToldCommit) => repository.reader(branch, commit);
        const after = readerOf(ends.before.branch, ends.commit);
        const pinned = pinnedTrees({
          at: (name) => repository.revision(name),
          refs: () => repository.refs(),
        });
        await look(route, { before: tip && readerOf(route.stage.branch, tip), after, pinned });
      }
      if (gates.some(({ state }) => state === "stops")) return { ...done, outcome: "stopped", gates };
      if (request.dryRun) return { ...done, outcome: "possible", gates };
      const made = await merge(fleet, route, ends, gates, repository, { request, world });
      if (isAsked) {
        const asked = await ask(fleet, route, made, repository, world);
        if (asked !== undefined)
          return { ...done, outcome: "requested", gates, made: asked.made, request: asked.request };
      } else if (await repository.push(made, route.stage.branch, tip?.id).catch(orByRequest)) {
        return { ...done, outcome: "promoted", gates, made };
      }
      if (attempt === attempts) throw movedTooOften(route.stage.branch);
    }
  });
}

async function endsOf(
  { stage, from }: Route,
  commit: string | undefined,
  repository: Branches,
): Promise<Ends> {
  const before = await mustRead(repository, from.branch, `stage ${stage.name} takes from`);
  const line = await repository.line(stage.branch);
  const chosen = commit === undefined ? before.line[0] : commitOn(before, commit);
  const trace = line && (await traceStage(line, before, repository));
  if (line !== undefined && trace === undefined)
    throw new StageError(
      `${stage.branch} never had the files of a commit of ${from.branch}, so nobody can tell what a promotion would take away. Make them the same once, by hand: git switch ${stage.branch} && git merge ${from.branch}.`,
    );
  return { stage: line, before, commit: chosen, trace };
}

/** A protected branch often takes merges of pull requests alone. */
function orByRequest(error: unknown): never {
  if (!(error instanceof GitError) || error.kind !== "refused") throw error;
  throw new GitError(
    "refused",
    `${error.message}\nWhere the branch takes merges of pull requests alone: --pull-request, or approval: pullRequest of the stage.`,
  );
}

function nothingToMergeInto({ stage: { branch } }: Route, { id }: ToldCommit): StageError {
  return new StageError(
    `There is no branch ${branch} yet for a pull request to be merged into. Make it once: git push origin ${short(id)}:refs/heads/${branch}.`,
  );
}

/** A promotion by hand that is no merge is taken for what it brought; what history tells of it is less. */
function notesOf({ trace, stage }: Ends): string[] {
  if (trace === undefined || stage === undefined) return [];
  const { commit, source } = trace.base;
  const isMerge = commit.id === source.id || stage.all.has(source.id) || stageActOf(commit.message);
  return isMerge
    ? []
    : [
        `${short(commit.id)} has the files of ${short(source.id)} without being a merge of it (squashed, copied or forced); it is taken for that promotion.`,
      ];
}

async function merge(
  fleet: Fleet,
  { stage, from }: Route,
  { stage: line, commit }: Ends,
  gates: readonly Gate[],
  repository: Branches,
  { request, world }: { readonly request: PromoteRequest; readonly world: World },
): Promise<string> {
  const passed = (name: Gate["gate"][]) =>
    gates.find(({ gate, state }) => state === "passedOver" && name.includes(gate))?.text;
  const act: StageAct = {
    operation: "promote",
    stage: stage.name,
    from: commit.id,
    after: from.name,
    emergency: passed(["freeze"]) === undefined ? undefined : request.emergency,
    unverified: passed(["ready", "checks"]),
  };
  const seen = gates.map(({ gate, text }) => `- ${gate}: ${text.replaceAll(/\s+/g, " ")}`);
  const text = `Promote ${from.name} to ${stage.name} at ${short(commit.id)}\n\n${commit.subject}\n\n${seen.join("\n")}`;
  return repository.commit({
    tree: commit.tree,
    // The first one of a branch that is not there yet has nothing to merge with.
    parents: [...(line === undefined ? [] : [line.line[0].id]), commit.id],
    message: stageMessage(text, act),
    ...(await signatureOf(fleet, world.git)),
  });
}

/** Side branch of the one pull request of a stage. */
export function sideOf(stage: string): string {
  return `arcflux/promote/${stage}`;
}

/**
 * Puts the merge on the side branch, which is Arcflux's alone, and has one pull request of it open. One that is there already
 * and merges the same is left as it is, so that nobody's approval is lost. Undefined where somebody else was first.
 */
async function ask(
  fleet: Fleet,
  { stage, from }: Route,
  made: string,
  repository: Branches,
  { git }: World,
): Promise<{ made: string; request: NonNullable<Promotion["request"]> } | undefined> {
  const side = sideOf(stage.name);
  const { url, pullRequest = {} } = fleet.repository;
  const there: BranchLine | undefined = await repository.line(side);
  const tip = there?.line[0];
  if (tip !== undefined && stageActOf(tip.message)?.stage !== stage.name)
    throw new StageError(
      `${side} holds ${short(tip.id)} by ${tip.author}, which no promotion made. Move it away, and run again.`,
    );
  const fresh = await repository.told(made);
  const isSame = tip?.tree === fresh.tree && tip.parents.join() === fresh.parents.join();
  if (!isSame && !(await repository.push(made, side, tip?.id))) return undefined;
  const commit = isSame ? tip.id : made;
  const opened = await requestMerge(
    url,
    pullRequest,
    {
      side,
      base: stage.branch,
      title: `Promote ${from.name} to ${stage.name}`,
      description: `Merge commit ${short(commit)} is finished: merging this makes ${stage.branch} what ${from.branch} was at ${short(fresh.parents.at(-1) ?? "")}.`,
    },
    git,
  );
  return { made: commit, request: { branch: side, ...(opened && { url: opened.url }) } };
}

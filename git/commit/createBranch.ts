import { defaultBranchArgv } from "../access/argv.ts";
import { GitError } from "../words/errors.ts";
import { locate } from "../plumbing/locate.ts";
import { missingBranch } from "../plumbing/missingBranch.ts";
import { classifyFailure } from "../access/outcome.ts";
import { pathsOf } from "./asked.ts";
import { assertOurs } from "./sideBranch.ts";
import type { Scratch, Tip } from "../plumbing/scratch.ts";
import type { ObjectId, WriteRequest } from "../words/types.ts";

/** What the next commit is made on. */
export interface Start {
  /** Folder its changes are applied to. */
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** Where the branch is, or would start; empty for an orphan. */
  readonly commit: ObjectId;
  /** Whether the push makes the branch: then it must not exist yet. */
  readonly create: boolean;
  /** The branch whose history tells of the tree; undefined for an orphan. */
  readonly history: string | undefined;
}

/**
 * Where writes to one branch start: on the tip of the branch; where there is none, as the request's createBranch says. Rejects with
 * GitError "missingBranch" where it says nothing, or the branch to start from does not exist. Nothing is pushed here.
 */
export async function startingPoint(
  scratch: Scratch,
  requests: readonly WriteRequest[],
  tip: Tip | undefined,
): Promise<Start> {
  // One that has files to write says whether a branch that is missing is made.
  const request = requests.find(({ remove }) => remove !== true) ?? requests[0];
  if (request === undefined) throw new Error("a group without members");
  const { side } = request;
  if (tip !== undefined) {
    const { tree, commit } = tip;
    const onTip = { tree, parents: [commit], commit, create: false, history: request.branch };
    if (side === undefined) return onTip;
    await assertOurs(scratch, request, tip);
    if (!side.supersedes(tip.commit)) return onTip;
    // Its pull request is over: on with the base, and with the old tip as a parent nothing has to be forced.
    const base = await baseTip(scratch, request, side.base);
    // git compares both parents where our paths are, and must find the folders of either here.
    await locate(tip.tree, requests.flatMap(pathsOf), scratch.loadTrees);
    return { ...onTip, tree: base.tree, parents: [commit, base.commit], history: side.base };
  }
  if (side !== undefined) return from(side.base, await baseTip(scratch, request, side.base));
  // With nothing to write there is nothing to make a branch for.
  const choice = request.remove === true ? undefined : request.delivery?.createBranch;
  switch (choice) {
    case undefined:
      throw await missingBranch(scratch, request);
    case "orphan":
      return { tree: scratch.emptyTree(), parents: [], commit: "", create: true, history: undefined };
    case "fromDefault": {
      const name = await defaultBranch(scratch);
      if (name === undefined) {
        throw new GitError(
          "missingBranch",
          `${request.url} has no branch ${request.branch}, and no default branch to start it from: the repository is empty. ` +
            `Set createBranch to 'orphan', or push a first commit, and run again.`,
        );
      }
      return from(name, await baseTip(scratch, request, name));
    }
  }
}

function from(branch: string, tip: Tip): Start {
  return { tree: tip.tree, parents: [tip.commit], commit: tip.commit, create: true, history: branch };
}

async function baseTip(scratch: Scratch, request: WriteRequest, branch: string): Promise<Tip> {
  const tip = await scratch.fetchTip(branch);
  if (tip === undefined) throw await missingBranch(scratch, { ...request, branch });
  return tip;
}

/** The branch that HEAD of the remote repository names, where that branch exists. */
export async function defaultBranch(scratch: Scratch): Promise<string | undefined> {
  const { code, stdout, stderr } = await scratch.git(defaultBranchArgv(), { timeout: "fetch" });
  if (code !== 0) {
    const doing = `The default branch of ${scratch.session.url} could not be read`;
    throw scratch.session.failure(doing, classifyFailure(stderr));
  }
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(stdout.toString())?.[1];
}

import type { Remembered } from "../words/before.ts";
import { planFiles } from "../commit/planFiles.ts";
import { resultOf } from "../commit/plan.ts";
import { GitError } from "../words/errors.ts";
import type { PullRequest, PullRequestState } from "./host.ts";
import { openHost } from "./openHost.ts";
import { openOrUpdate } from "./openOrUpdate.ts";
import { inOrder } from "./order.ts";
import { sideBranchOf, textOf } from "./text.ts";
import { readFiles } from "../plumbing/read.ts";
import { checkBranch, checkSideBranch } from "../words/rules.ts";
import type {
  GitContext,
  ObjectId,
  ReadRequest,
  ReadResult,
  WriteRequest,
  WriteResult,
} from "../words/types.ts";
import { writeFiles } from "../commit/write.ts";

/** The pull request that a write waits for, for the caller to keep. */
export interface PullRequestInfo {
  /** Side branch. */
  readonly branch: string;
  /** `none`: there is none (yet), or the host has no interface that is known. */
  readonly state: PullRequestState | "none";
  readonly number?: number;
  /** For people. */
  readonly url?: string;
  /** By path from the root, what the base held of ours when this was proposed: what a closed one leaves. */
  readonly base: Readonly<Record<string, Remembered>>;
}

/** A write that may go through a pull request, with what an earlier one returned. */
export type DeliveryRequest = WriteRequest & { readonly pullRequest?: PullRequestInfo | undefined };
export type DeliveryResult = WriteResult & { readonly pullRequest?: PullRequestInfo | undefined };

/**
 * As writeFiles; with `delivery.mode: pullRequest` the commit goes to a side branch and one pull request from it is
 * opened, or the open one brought up to date. The base is never written. The side branch is never forced: after a merge
 * or a close, the next commit has both its old tip and the base as parents. A tip that is not ours ends the write with
 * GitError "conflict".
 */
export async function deliverFiles(request: DeliveryRequest, context: GitContext): Promise<DeliveryResult> {
  const scope = withCa(request, context);
  if (request.delivery?.mode !== "pullRequest") return writeFiles(request, scope);
  const { url, branch: base } = request;
  const side = sideBranchOf(request);
  assertSide(side, base);
  const host = await openHost(url, request.delivery.pullRequest ?? {}, scope);
  const last = await host?.find(side, base);
  // What was merged is on the base for good; what was closed may be there or not.
  const closed = last?.state === "merged" ? undefined : request.pullRequest?.base;
  const asked = { ...request, before: withBase(request.before, closed) };
  const onBase = await planFiles(asked, scope);
  if (onBase === undefined) {
    throw new GitError(
      "missingBranch",
      `${url} has no branch ${base} for a pull request to be merged into. Create it, and run again.`,
    );
  }
  const { commit, plan } = onBase;
  const onSide = await readFiles({ url, branch: side, directory: "", paths: [] }, scope);
  const over = (tip: ObjectId): boolean => last !== undefined && last.state !== "open" && last.head === tip;
  const fromBase = onSide === undefined || over(onSide.commit);
  const held = last?.state === "open" && request.pullRequest ? request.pullRequest.base : plan.held;
  if (fromBase && plan.conflicts.length === 0 && plan.changes.size === 0) {
    return {
      kind: "unchanged",
      commit,
      ...resultOf(plan),
      attempts: 0,
      pullRequest: infoOf(side, last, held),
    };
  }
  const result = await writeFiles(
    {
      ...asked,
      branch: side,
      deletions: fromBase ? asked.deletions : asProposed(asked),
      side: { base, supersedes: over },
    },
    scope,
  );
  const now =
    host && (await inOrder(`${url}\n${side}`, () => openOrUpdate(host, side, base, textOf(request, side))));
  return { ...result, pullRequest: infoOf(side, now, held) };
}

/** What the state knows, with what the base held before the last pull request: where that was closed, it still does. */
function withBase(
  before: WriteRequest["before"],
  base: PullRequestInfo["base"] | undefined,
): WriteRequest["before"] {
  if (before === undefined || base === undefined) return before;
  const paths = [...new Set([...Object.keys(base), ...Object.keys(before.files)])];
  const files = paths.map((path) => {
    const held = base[path];
    return [path, [...(held === undefined ? [] : [held]), ...(before.files[path] ?? [])]] as const;
  });
  const mayLack = Object.keys(before.files).filter((path) => !Object.hasOwn(base, path));
  return { ...before, files: Object.fromEntries(files), mayLack };
}

/** Deletions were judged on the base; on the side branch the same files may be as an earlier commit there proposed them. */
function asProposed({ before, deletions }: WriteRequest): WriteRequest["deletions"] {
  if (deletions === undefined) return undefined;
  const proposed = Object.keys(deletions).flatMap((path) => {
    const blob = before?.files[path]?.at(-1)?.blob;
    return blob === undefined ? [] : [[path, blob] as const];
  });
  return { ...deletions, ...Object.fromEntries(proposed) };
}

/**
 * As readFiles; where a pull request is open, what its side branch holds counts, since the base does not hold it yet.
 * Merged or closed, the base counts.
 */
export async function readDelivered(
  request: ReadRequest & { readonly pullRequest?: PullRequestInfo | undefined },
  context: GitContext,
): Promise<(ReadResult & { pullRequest?: PullRequestInfo }) | undefined> {
  const scope = withCa(request, context);
  const { delivery, pullRequest: info, url, branch } = request;
  if (delivery?.mode !== "pullRequest" || info === undefined) return readFiles(request, scope);
  const host = await openHost(url, delivery.pullRequest ?? {}, scope);
  const found = await host?.find(info.branch, branch);
  const pullRequest = infoOf(info.branch, found, info.base);
  // Without an interface that tells, the side branch counts for as long as it exists.
  const pending =
    host === undefined || found?.state === "open" || (found === undefined && info.state === "none");
  const seen =
    (pending ? await readFiles({ ...request, branch: info.branch }, scope) : undefined) ??
    (await readFiles(request, scope));
  return seen && { ...seen, pullRequest };
}

function infoOf(
  branch: string,
  found: PullRequest | undefined,
  base: PullRequestInfo["base"],
): PullRequestInfo {
  if (found === undefined) return { branch, state: "none", base };
  return { branch, state: found.state, number: found.number, url: found.url, base };
}

function assertSide(side: string, base: string): void {
  const reasons = [...checkBranch(side), ...checkSideBranch(side, base)];
  if (reasons.length === 0) return;
  throw new GitError("invalid", reasons.map((reason) => `pullRequest.branch ${reason}`).join("\n"));
}

const scopes = new WeakMap<GitContext, Map<string, GitContext>>();

function withCa({ delivery }: Pick<WriteRequest, "delivery">, context: GitContext): GitContext {
  const file = delivery?.caFile;
  if (file === undefined) return context;
  // The same one each time: writes share a push where they share their context.
  const known = scopes.get(context) ?? new Map<string, GitContext>();
  scopes.set(context, known);
  const scope = known.get(file) ?? { ...context, env: { ...context.env, GIT_SSL_CAINFO: file } };
  known.set(file, scope);
  return scope;
}

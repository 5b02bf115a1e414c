import { GitError } from "../words/errors.ts";
import type { PullRequest, PullRequestState } from "./host.ts";
import type { Host } from "./host.ts";
import { openHost } from "./openHost.ts";
import { inOrder } from "./order.ts";
import { sideBranchOf, textOf } from "./text.ts";
import { readFiles } from "../plumbing/read.ts";
import { checkBranch, checkSideBranch } from "../words/rules.ts";
import { objectId } from "../plumbing/tree.ts";
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
  /** Path below the directory to the blob that the base held when this was proposed: what a closed one leaves. */
  readonly replaced: Readonly<Record<string, ObjectId>>;
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
  const paths = [...new Set([...Object.keys(request.files), ...Object.keys(request.owned)])];
  const place = { url, directory: request.directory, paths, delivery: request.delivery };
  const onBase = await readFiles({ ...place, branch: base }, scope);
  if (onBase === undefined) {
    throw new GitError(
      "missingBranch",
      `${url} has no branch ${base} for a pull request to be merged into. Create it, and run again.`,
    );
  }
  const onSide = await readFiles({ ...place, branch: side }, scope);
  const host = await openHost(url, request.delivery.pullRequest ?? {}, scope);
  const before = await host?.find(side, base);
  const replaced =
    before?.state === "open" && request.pullRequest ? request.pullRequest.replaced : onBase.blobs;
  const over = (tip: ObjectId): boolean =>
    before !== undefined && before.state !== "open" && before.head === tip;
  const fromBase = onSide === undefined || over(onSide.commit);
  if (fromBase && holdsAll(request, onBase)) {
    const blobs = Object.fromEntries(
      Object.keys(request.files).map((path) => [path, onBase.blobs[path] ?? ""]),
    );
    const executable = (onBase.executable ?? []).filter((path) => Object.hasOwn(blobs, path));
    const pullRequest = infoOf(side, before, replaced);
    const found = { blobs, ...(executable.length > 0 && { executable }) };
    return { kind: "unchanged", commit: onBase.commit, ...found, kept: [], attempts: 0, pullRequest };
  }
  const result = await writeFiles(
    {
      ...request,
      branch: side,
      owned: fromBase ? ownedOnBase(request, onBase) : request.owned,
      side: { base, supersedes: over },
    },
    scope,
  );
  const now = host && (await inOrder(`${url}\n${side}`, () => openOrUpdate(host, side, request)));
  return { ...result, pullRequest: infoOf(side, now, replaced) };
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
  const pullRequest = infoOf(info.branch, found, info.replaced);
  // Without an interface that tells, the side branch counts for as long as it exists.
  const pending =
    host === undefined || found?.state === "open" || (found === undefined && info.state === "none");
  const seen =
    (pending ? await readFiles({ ...request, branch: info.branch }, scope) : undefined) ??
    (await readFiles(request, scope));
  return seen && { ...seen, pullRequest };
}

async function openOrUpdate(
  host: Host,
  side: string,
  request: DeliveryRequest,
): Promise<PullRequest | undefined> {
  const text = textOf(request, side);
  for (let tries = 0; ; tries++) {
    const found = await host.find(side, request.branch);
    if (found?.state === "open") {
      const same = found.title === text.title && found.description === text.description;
      return same ? found : host.update(found.number, text);
    }
    const opened = await host.open(side, request.branch, text);
    // Someone opened one in between: it is found now.
    if (opened !== undefined || tries > 0) return opened;
  }
}

/** Whether the base needs no change for this request. */
function holdsAll(
  { files, owned, pullRequest, executable }: DeliveryRequest,
  { commit, blobs, executable: now = [] }: ReadResult,
): boolean {
  const wanted = Object.entries(files).every(
    ([path, content]) => blobs[path] === objectId("blob", Buffer.from(content, "utf8"), commit.length),
  );
  const leftOver = Object.entries(owned).some(
    ([path, blob]) =>
      !Object.hasOwn(files, path) &&
      blobs[path] !== undefined &&
      (blobs[path] === blob || blobs[path] === pullRequest?.replaced[path]),
  );
  const changedMode = now.some((path) => Object.hasOwn(owned, path) && executable?.includes(path) !== true);
  return wanted && !leftOver && !changedMode;
}

/** What a closed pull request would have replaced is still ours to change; what it would have added is not there. */
function ownedOnBase(
  { owned, pullRequest }: DeliveryRequest,
  { blobs }: ReadResult,
): Record<string, ObjectId> {
  const result: Record<string, ObjectId> = {};
  for (const [path, blob] of Object.entries(owned)) {
    const present = blobs[path];
    const asBefore = pullRequest !== undefined && present === pullRequest.replaced[path];
    if (present === blob || !asBefore) result[path] = blob;
    else if (present !== undefined) result[path] = present;
  }
  return result;
}

function infoOf(
  branch: string,
  found: PullRequest | undefined,
  replaced: PullRequestInfo["replaced"],
): PullRequestInfo {
  if (found === undefined) return { branch, state: "none", replaced };
  return { branch, state: found.state, number: found.number, url: found.url, replaced };
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

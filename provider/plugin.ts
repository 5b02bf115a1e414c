import { randomUUID } from "node:crypto";

import type { CheckResult, DiffResult, Provider, ReadResult } from "@pulumi/pulumi/provider/provider.js";

import {
  announceWrite,
  deliverFiles,
  type DeliveryRequest,
  type DeliveryResult,
  type GitContext,
  GitError,
  type ObjectId,
  type Provenance,
  type PullRequestInfo,
  readDelivered,
  sameRepository,
  sendsToken,
} from "../git/index.ts";
import { fullPath } from "../git/plan.ts";
import { blobId } from "./blob.ts";
import { Claims } from "./claims.ts";
import { findFaults, type GitFilesInputs, knownInputs, knownPaths } from "./inputs.ts";
import { containsUnknown } from "./markers.ts";
import { compareMeaning } from "./meaning.ts";
import { provenanceOf } from "./provenance.ts";
import { pullRequestNote } from "./pullRequestNote.ts";
import { takeOver } from "./takeOver.ts";
import { driftOf, type GitFilesState, inputsAsSeen, sameBranch, stateAfter, withSeen } from "./state.ts";
import { WriterLookup } from "./writerLookup.ts";

type Properties = Readonly<Record<string, unknown>>;

/** Says something to the user beside the resource: the engine's log, or a recorder in tests. */
export type Warn = (urn: string, message: string) => Promise<void>;

/**
 * The GitFiles resource. Inputs and state are what Pulumi's wire format makes of them (see markers.ts); all
 * reading and writing of the repository is in git/.
 */
export class GitFilesPlugin implements Provider {
  readonly version: string;
  readonly #context: GitContext;
  readonly #warn: Warn;
  readonly #claims = new Claims();
  readonly #writers: WriterLookup;

  constructor(version: string, context: GitContext, warn: Warn) {
    this.version = version;
    this.#context = { compare: compareMeaning, ...context };
    this.#warn = warn;
    this.#writers = new WriterLookup(this.#context);
  }

  /** Inputs go back as they came, markers included: unwrapping a secret here would put it into state in the clear. */
  check(urn: string, _olds: Properties, news: Properties): Promise<CheckResult> {
    // With a property named the engine would print its whole value, so the reason names the place instead.
    const { repository, branch, directory } = news;
    const token = typeof repository === "string" && sendsToken(repository, this.#context.env);
    const failures = findFaults(news, { token }).map((reason) => ({ property: "", reason }));
    if (typeof repository === "string" && typeof branch === "string" && typeof directory === "string") {
      this.#claims.set(urn, { repository, branch, directory }, knownPaths(news));
    }
    return Promise.resolve({ inputs: news, failures });
  }

  /** Message and author are no difference: a commit is made for content only. Nothing is ever replaced. */
  diff(_id: string, _urn: string, olds: Properties, news: Properties): Promise<DiffResult> {
    return Promise.resolve({ changes: differs(olds as unknown as GitFilesState, news) });
  }

  async create(urn: string, inputs: Properties): Promise<{ id: string; outs: GitFilesState }> {
    const wanted = knownInputs(inputs);
    const owned = await this.#takeOver(urn, wanted, {});
    const result = await this.#deliver(urn, this.#request(urn, wanted, "create", { owned }));
    return { id: randomUUID(), outs: stateAfter(wanted, result) };
  }

  async update(
    _id: string,
    urn: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ outs: GitFilesState }> {
    const state = olds as unknown as GitFilesState;
    const wanted = knownInputs(news);
    if (sameBranch(state, wanted)) return { outs: await this.#rewrite(urn, state, wanted) };
    // The new place first: a cluster that follows either of them has its files at any time.
    const taken = await this.#takeOver(urn, wanted, {});
    const result = await this.#deliver(urn, this.#request(urn, wanted, "update", { owned: taken }));
    await this.#leave(urn, state, wanted);
    return { outs: stateAfter(wanted, result) };
  }

  /** What the branch holds now. An unreachable repository is an error, never "gone". */
  async read(id: string, urn: string, props: Properties = {}): Promise<ReadResult> {
    const state = props as unknown as GitFilesState;
    if ((state.blobs as unknown) === undefined) throw new Error(noImport);
    const paths = Object.keys(state.blobs);
    const { repository: url, branch, directory, delivery, pullRequest } = state;
    const seen = await readDelivered(
      {
        url,
        branch,
        directory,
        paths,
        delivery,
        pullRequest,
        orRevert: true,
        // Contents only where there is a drift to show, or one that was shown and is gone.
        contentsOf: (blobs) =>
          driftOf(state.blobs, blobs) !== undefined || state.seen !== undefined ? Object.keys(blobs) : [],
      },
      this.#context,
    );
    const nothingLeft = paths.length > 0 && Object.keys(seen?.blobs ?? {}).length === 0;
    // A folder that is missing is made anew; one that was reverted was meant to go, and that is a drift.
    if (seen === undefined || (nothingLeft && seen.reverted === undefined)) {
      const what =
        seen === undefined ? `branch ${branch} is gone` : `none of its files is left in ${directory}`;
      await this.#warn(urn, `${what} of ${url}: counted as deleted, and made again by the next update.`);
      return { id: "", props: {} };
    }
    const drift = driftOf(state.blobs, seen.blobs);
    const inputs =
      drift !== undefined || state.seen !== undefined ? inputsAsSeen(state, seen.contents ?? {}) : undefined;
    const now = seen.pullRequest && { pullRequest: seen.pullRequest };
    return { id, props: withSeen({ ...state, ...now }, drift), ...(inputs && { inputs }) };
  }

  async delete(_id: string, urn: string, props: Properties): Promise<void> {
    const state = props as unknown as GitFilesState;
    if (state.onDelete === "keep") return;
    try {
      await this.#remove(urn, state);
    } catch (error) {
      throw withWayOut(error, urn);
    }
  }

  /** The write follows at once: until then, one that is about to be pushed waits for it. */
  async #takeOver(
    urn: string,
    wanted: GitFilesInputs,
    known: GitFilesState["blobs"],
  ): Promise<Record<string, ObjectId>> {
    const over = announceWrite({ url: wanted.repository, branch: wanted.branch });
    return takeOver(provenanceOf(urn, this.version), wanted, known, this.#writers).finally(over);
  }

  /** One commit also when the folder moves within the branch: both places hang below a common one. */
  async #rewrite(urn: string, state: GitFilesState, wanted: GitFilesInputs): Promise<GitFilesState> {
    const owned = this.#ownedBy(urn, state, wanted);
    const operation = state.seen === undefined ? "update" : "restore";
    const { adopted, pullRequest, commit } = state;
    if (state.directory === wanted.directory) {
      const taken = await this.#takeOver(urn, wanted, state.blobs);
      const before = { owned: { ...taken, ...owned }, adopted, pullRequest, commit };
      const request = this.#request(urn, wanted, operation, before);
      const result = await this.#deliver(urn, request);
      await this.#warnKept(urn, result.kept);
      return stateAfter(wanted, result);
    }
    const from = (path: string): string => fullPath(state.directory, path);
    const moved = {
      ...wanted,
      directory: "",
      files: mapKeys(wanted.files, (path) => fullPath(wanted.directory, path)),
    };
    // The new place may be that of another stack.
    const taken = await this.#takeOver(urn, moved, mapKeys(state.blobs, from));
    const request = this.#request(urn, moved, operation, {
      owned: { ...taken, ...mapKeys(owned, from) },
      commit,
      pullRequest: pullRequest && {
        ...pullRequest,
        replaced: mapKeys(pullRequest.replaced, from),
      },
    });
    const result = await this.#deliver(urn, request);
    await this.#warnKept(urn, result.kept);
    const below = wanted.directory === "" ? 0 : wanted.directory.length + 1;
    const back = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
      mapKeys(record, (path) => path.slice(below));
    const inFolder = ([path]: [string, ObjectId]): boolean =>
      wanted.directory === "" || path.startsWith(`${wanted.directory}/`);
    return stateAfter(wanted, {
      ...result,
      blobs: back(result.blobs),
      pullRequest: result.pullRequest && {
        ...result.pullRequest,
        replaced: back(Object.fromEntries(Object.entries(result.pullRequest.replaced).filter(inFolder))),
      },
      ...(result.adopted && { adopted: back(result.adopted) }),
    });
  }

  /**
   * Takes the files out of a place that the resource has left. What the new place holds is never taken out, though the
   * old URL may lead to the same repository; and a place that cannot be reached any more does not hold up the stack.
   */
  async #leave(urn: string, state: GitFilesState, wanted: GitFilesInputs): Promise<void> {
    const { repository: url, branch } = state;
    if (wanted.onDelete === "keep") return;
    try {
      const same =
        branch === wanted.branch && (await sameRepository({ url, branch }, wanted.repository, this.#context));
      const paths = Object.keys(wanted.files).map((path) => fullPath(wanted.directory, path));
      const stays = same ? new Set(paths) : new Set<string>();
      const blobs = Object.entries(state.blobs).filter(
        ([path]) => !stays.has(fullPath(state.directory, path)),
      );
      if (blobs.length > 0) await this.#remove(urn, { ...state, blobs: Object.fromEntries(blobs) }, stays);
    } catch (error) {
      // Only a place that is not there any more is let go of; a refusal has to be dealt with, or decided about.
      const gone = error instanceof GitError && ["unreachable", "noBranches", "timeout"].includes(error.kind);
      if (!gone) {
        if (!(error instanceof GitError) || error.kind === "abandoned") throw error;
        const way = "To leave them there instead, set stack config arcflux:onDelete keep for this update.";
        throw new GitError(error.kind, `${error.message}\n${way}`, error.conflicts);
      }
      await this.#warn(
        urn,
        `the files are in their new place, and ${state.directory} on branch ${branch} of ${url} could not be looked at: ` +
          `${error.message}\nIf that is another repository and anything still follows it, delete them there by hand.`,
      );
    }
  }

  /** `stays`: paths from the root that are not to go, beside those that another resource wants. */
  async #remove(urn: string, state: GitFilesState, stays: ReadonlySet<string> = new Set()): Promise<void> {
    const { directory } = state;
    const message = `Remove ${directory === "" ? "generated files" : "{directory}"}`;
    const owned = this.#ownedBy(urn, state);
    if (Object.keys(owned).length === 0) return;
    const { pullRequest } = state;
    const { commit } = state;
    const before = { owned, pullRequest, commit, stays };
    const request = this.#request(urn, { ...state, message, files: {} }, "delete", before);
    try {
      await this.#warnKept(urn, (await this.#deliver(urn, request)).kept);
    } catch (error) {
      // Without the branch there is nothing left to delete.
      if (!(error instanceof GitError && error.kind === "missingBranch")) throw error;
      await this.#warn(urn, `branch ${state.branch} of ${state.repository} is gone, and so are the files.`);
    }
  }

  /** What the resource may change or delete: what it wrote, without what only another one wants in this run. */
  #ownedBy(urn: string, state: GitFilesState, wanted?: GitFilesInputs): Record<string, ObjectId> {
    const stays = wanted?.directory === state.directory ? wanted.files : {};
    const own = Object.entries(state.blobs).filter(
      ([path]) => Object.hasOwn(stays, path) || !this.#claims.isTaken(urn, state, path),
    );
    return Object.fromEntries(own);
  }

  #request(
    urn: string,
    inputs: GitFilesInputs,
    operation: Provenance["operation"],
    before: Before = {},
  ): DeliveryRequest {
    const { repository: url, branch, directory, files, message, author, adopt, drift, delivery } = inputs;
    const { owned = {}, adopted = {}, pullRequest, commit: after, stays } = before;
    const spared = (path: string): boolean =>
      stays?.has(path) === true ||
      this.#claims.isTaken(urn, { repository: url, branch, directory: "" }, path);
    const provenance = provenanceOf(urn, this.version, operation);
    const place = { url, branch, directory, files, owned, adopted, owner: urn, after, spared, pullRequest };
    return { ...place, message, author, adopt, drift, delivery, provenance };
  }

  async #deliver(urn: string, request: DeliveryRequest): Promise<DeliveryResult> {
    const result = await deliverFiles(request, this.#context);
    const note = pullRequestNote(result, request.branch);
    if (note !== undefined) await this.#warn(urn, note);
    return result;
  }

  async #warnKept(urn: string, kept: readonly string[]): Promise<void> {
    if (kept.length === 0) return;
    await this.#warn(
      urn,
      `left in the repository, since someone changed it after Arcflux wrote it: ${kept.join(", ")}. ` +
        `Delete it there by hand if it is not wanted.`,
    );
  }
}

const noImport =
  "GitFiles cannot be imported. Run `pulumi up` instead: files in the repository that mean the same are taken over " +
  "without a commit.";

/** A delete that fails again and again must not lock the stack: says how to let go of the files. */
function withWayOut(error: unknown, urn: string): unknown {
  if (!(error instanceof GitError) || error.kind === "abandoned") return error;
  const way = `If the repository is gone for good: pulumi state delete '${urn}'`;
  return new GitError(error.kind, `${error.message}\n${way}`, error.conflicts);
}

/** What an earlier write of the resource left. */
interface Before {
  readonly owned?: DeliveryRequest["owned"];
  readonly adopted?: DeliveryRequest["adopted"];
  readonly pullRequest?: PullRequestInfo | undefined;
  readonly commit?: ObjectId;
  /** Paths from the root that are not to go. */
  readonly stays?: ReadonlySet<string>;
}

function differs(state: GitFilesState, news: Properties): boolean {
  const place = ["repository", "branch", "directory"] as const;
  if (place.some((name) => news[name] !== state[name]) || state.seen !== undefined) return true;
  // A delete knows the state alone.
  if ((news["onDelete"] ?? "delete") !== (state.onDelete ?? "delete")) return true;
  if (containsUnknown(news["files"])) return true;
  const files = news["files"] as Readonly<Record<string, string>>;
  const paths = Object.keys(files);
  if (paths.length !== Object.keys(state.blobs).length) return true;
  return paths.some((path) => {
    const written = state.adopted?.[path] ?? state.blobs[path];
    return written === undefined || blobId(files[path] ?? "", written) !== written;
  });
}

function mapKeys<T>(record: Readonly<Record<string, T>>, change: (key: string) => string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [change(key), value]));
}

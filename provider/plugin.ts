import { randomUUID } from "node:crypto";

import type { CheckResult, DiffResult, Provider, ReadResult } from "@pulumi/pulumi/provider/provider.js";

import { compareMeaning } from "../flux/compareMeaning.ts";
import { GitError, readDelivered, sendsToken, unboundHosts } from "../git/index.ts";
import type { GitContext } from "../git/index.ts";
import { differs } from "./differs.ts";
import { driftNote } from "./driftNote.ts";
import { findFaults, knownInputs } from "./inputs.ts";
import { unwrapOutputs } from "./markers.ts";
import { ownerOf } from "./provenance.ts";
import { driftOf, type GitFilesState, inputsAsSeen, withSeen } from "./state.ts";
import { tokenFaults, unboundNote, urlsOf } from "./tokenHost.ts";
import { showFolder, type Warn, Writes } from "./writes.ts";

type Properties = Readonly<Record<string, unknown>>;

/**
 * The GitFiles resource. Inputs and state are what Pulumi's wire format makes of them (see markers.ts); all
 * reading and writing of the repository is in git/.
 */
export class GitFilesPlugin implements Provider {
  readonly version: string;
  readonly #context: GitContext;
  readonly #warn: Warn;
  readonly #writes: Writes;
  /** What the resources of the run say of their files when they go. */
  readonly #onDelete = new Map<string, unknown>();
  /** Hosts of which it was said that nothing binds the token to them. */
  readonly #unbound = new Set<string>();

  constructor(version: string, context: GitContext, warn: Warn) {
    this.version = version;
    this.#context = { compare: compareMeaning, ...context };
    this.#warn = warn;
    this.#writes = new Writes(version, this.#context, warn);
  }

  /** Inputs go back as they came, markers included: unwrapping a secret here would put it into state in the clear. */
  async check(urn: string, olds: Properties, news: Properties): Promise<CheckResult> {
    // With a property named the engine would print its whole value, so the reason names the place instead.
    const { repository } = news;
    const token = typeof repository === "string" && sendsToken(repository, this.#context.env);
    const faults = [...findFaults(news, { token }), ...tokenFaults(olds, news, this.#context.env)];
    const failures = faults.map((reason) => ({ property: "", reason }));
    await this.#warnOfUnbound(urn, news);
    this.#onDelete.set(urn, news["onDelete"]);
    return { inputs: news, failures };
  }

  /** Once for each host, not once for each resource. */
  async #warnOfUnbound(urn: string, news: Properties): Promise<void> {
    for (const host of unboundHosts(urlsOf(news), this.#context.env)) {
      if (this.#unbound.has(host)) continue;
      this.#unbound.add(host);
      await this.#warn(urn, unboundNote(host));
    }
  }

  /** Nothing is ever replaced. Warns of what a refresh has seen and an update would stop at. */
  async diff(_id: string, urn: string, olds: Properties, news: Properties): Promise<DiffResult> {
    const state = olds as unknown as GitFilesState;
    const drift = driftNote(state, news);
    if (drift !== undefined) await this.#warn(urn, drift);
    const { delivery } = unwrapOutputs(news) as Pick<GitFilesState, "delivery">;
    return { changes: differs(state, news, ownerOf(urn, { ...(delivery && { delivery }) })) };
  }

  async create(urn: string, inputs: Properties): Promise<{ id: string; outs: GitFilesState }> {
    return { id: randomUUID(), outs: await this.#writes.write(urn, knownInputs(inputs)) };
  }

  async update(
    _id: string,
    urn: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ outs: GitFilesState }> {
    const state = olds as unknown as GitFilesState;
    return { outs: await this.#writes.write(urn, knownInputs(news), state) };
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
        contentsOf: (blobs, executable) =>
          driftOf(state, { blobs, executable }) !== undefined || state.seen !== undefined
            ? Object.keys(blobs)
            : [],
      },
      this.#context,
    );
    const nothingLeft = paths.length > 0 && Object.keys(seen?.blobs ?? {}).length === 0;
    // A folder that is missing is made anew. One that was reverted was meant to go, and one whose pull request was closed
    // never came: that is a drift, and what the state knows beside it is still needed.
    const meant = seen?.reverted !== undefined || seen?.pullRequest?.state === "closed";
    if (seen === undefined || (nothingLeft && !meant)) {
      const what =
        seen === undefined ? `branch ${branch} is gone` : `none of its files is left in ${directory}`;
      await this.#warn(urn, `${what} of ${url}: counted as deleted, and made again by the next update.`);
      return { id: "", props: {} };
    }
    const drift = driftOf(state, seen);
    const inputs = drift !== undefined || state.seen !== undefined ? inputsAsSeen(state, seen) : undefined;
    const now = seen.pullRequest && { pullRequest: seen.pullRequest };
    return { id, props: withSeen({ ...state, ...now }, drift), ...(inputs && { inputs }) };
  }

  async delete(_id: string, urn: string, props: Properties): Promise<void> {
    const state = props as unknown as GitFilesState;
    if (state.onDelete === "keep") return;
    if (this.#keptByAll()) return this.#warn(urn, keptNote(state));
    try {
      await this.#writes.remove(urn, state);
    } catch (error) {
      throw withWayOut(error, urn);
    }
  }

  /** A setting for all that came in this very run cannot be in the state of what goes in it. */
  #keptByAll(): boolean {
    const choices = [...this.#onDelete.values()];
    return choices.length > 0 && choices.every((choice) => choice === "keep");
  }
}

function keptNote({ directory, branch }: GitFilesState): string {
  return (
    `its files stay in ${showFolder(directory)} on branch ${branch}: onDelete is keep for all others of this update, ` +
    `though it was not when this one was last updated. Delete them there by hand if that is not what you want.`
  );
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

import { randomUUID } from "node:crypto";

import {
  deliverFiles,
  type DeliveryResult,
  type GitContext,
  GitError,
  type Provenance,
} from "../git/index.ts";
import { fullPath } from "../values/path.ts";
import { printable } from "../values/show.ts";
import type { GitFilesInputs } from "./inputs.ts";
import { ownerOf, provenanceOf } from "./provenance.ts";
import { pullRequestNote } from "./pullRequestNote.ts";
import { beforeOf, type GitFilesState, sameBranch, stateAfter } from "./state.ts";

/** Says something to the user beside the resource: the engine's log, or a recorder in tests. */
export type Warn = (urn: string, message: string) => Promise<void>;

/** How resources write to Git. What may be written is decided in git/, by what lies there; nothing is remembered here. */
export class Writes {
  readonly #version: string;
  /** What the commits of this update have in common. */
  readonly #update = randomUUID().slice(0, 8);
  readonly #context: GitContext;
  readonly #warn: Warn;

  constructor(version: string, context: GitContext, warn: Warn) {
    this.#version = version;
    this.#context = context;
    this.#warn = warn;
  }

  /** Brings the inputs to their branch, and returns the new state. `state`: of the last update. Rejects with GitError. */
  async write(urn: string, inputs: GitFilesInputs, state?: GitFilesState): Promise<GitFilesState> {
    const stays = state !== undefined && sameBranch(state, inputs);
    const operation = state === undefined ? "create" : state.seen === undefined ? "update" : "restore";
    const result = await this.#deliver(urn, inputs, operation, stays ? state : undefined);
    if (state !== undefined && !stays) await this.#warn(urn, staysThere(state));
    return stateAfter(inputs, ownerOf(urn, inputs), result);
  }

  /** Takes out what the resource wrote and nobody changed, wherever its cluster has been. */
  async remove(urn: string, state: GitFilesState): Promise<void> {
    const message = `Remove ${state.directory === "" ? "generated files" : "{directory}"}`;
    try {
      await this.#deliver(urn, { ...state, message, files: {} }, "delete", state);
    } catch (error) {
      // Without the branch there is nothing left to delete.
      if (!(error instanceof GitError && error.kind === "missingBranch")) throw error;
      await this.#warn(urn, `branch ${state.branch} of ${state.repository} is gone, and so are the files.`);
    }
  }

  async #deliver(
    urn: string,
    inputs: GitFilesInputs,
    operation: Provenance["operation"],
    state: GitFilesState | undefined,
  ): Promise<DeliveryResult> {
    const { repository: url, ...rest } = inputs;
    const result = await deliverFiles(
      {
        ...{ url, ...rest, owner: ownerOf(urn, inputs) },
        ...(state && { before: beforeOf(state), pullRequest: state.pullRequest }),
        provenance: { ...provenanceOf(urn, this.#version, operation), update: this.#update },
        remove: operation === "delete",
      },
      this.#context,
    );
    for (const note of notesOf(result, inputs)) await this.#warn(urn, note);
    return result;
  }
}

/** What the user has to know of a write that was done. */
function notesOf(result: DeliveryResult, { branch, directory, followed = "" }: GitFilesInputs): string[] {
  const { remade, kept, notOurs = {} } = result;
  const waits = pullRequestNote(result, branch);
  const made =
    `none of its files was left in ${showFolder(followed === "" ? directory : fullPath(directory, followed))} on branch ${branch}: someone deleted or reverted them all, or ` +
    `set the branch back. They are written again.`;
  const left =
    `left in the repository, since it is not as Arcflux left it: ${kept.map(printable).join(", ")}. Delete it there by hand ` +
    `if it is not wanted, and no cluster follows that folder.`;
  return [
    ...(waits === undefined ? [] : [waits]),
    ...(remade ? [made] : []),
    ...(kept.length > 0 ? [left] : []),
    ...Object.entries(notOurs).map(
      ([folder, owner]) =>
        `nothing was taken out of ${showFolder(folder)}: it belongs to ${printable(owner)}.`,
    ),
  ];
}

function staysThere({ repository, branch, directory }: GitFilesState): string {
  return (
    `the files are in their new place, and stay in ${showFolder(directory)} on branch ${branch} of ${repository}. When no ` +
    `cluster follows that branch any more, delete them there by hand.`
  );
}

/** A folder from the root of the repository, in a sentence. */
export function showFolder(folder: string): string {
  return folder === "" ? "the root of the repository" : printable(folder);
}

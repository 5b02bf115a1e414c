import { pathBelow } from "../values/path.ts";
import { announceWrite, deliverFiles } from "../git/index.ts";
import type {
  DeliveryRequest,
  DeliveryResult,
  GitContext,
  ObjectId,
  Provenance,
  PullRequestInfo,
} from "../git/index.ts";
import { assertFree, assertSeen } from "./assertFree.ts";
import { assertUnchanged } from "./assertUnchanged.ts";
import { Claims } from "./claims.ts";
import { FolderLookup } from "./folderLookup.ts";
import type { GitFilesInputs } from "./inputs.ts";
import { showFolder, waitingNote } from "./moveNotes.ts";
import { provenanceOf } from "./provenance.ts";
import { pullRequestNote } from "./pullRequestNote.ts";
import { foldersOf, type GitFilesState } from "./state.ts";
import { takeOver } from "./takeOver.ts";
import { WriterLookup } from "./writerLookup.ts";

/** Says something to the user beside the resource: the engine's log, or a recorder in tests. */
export type Warn = (urn: string, message: string) => Promise<void>;

/** What an earlier write of the resource left. */
export interface Before {
  readonly owned?: DeliveryRequest["owned"];
  readonly adopted?: DeliveryRequest["adopted"];
  readonly executable?: DeliveryRequest["executable"];
  readonly pullRequest?: PullRequestInfo | undefined;
  readonly commit?: ObjectId;
  /** Paths from the root that are not to go, beside those that another resource wants. */
  readonly stays?: ReadonlySet<string>;
  /** See WriteRequest. */
  readonly followed?: readonly string[];
  /** See WriteRequest. */
  readonly movedAs?: DeliveryRequest["movedAs"];
  /** The folder that the user knows, where the write is to one above it. Defaults to that of the inputs. */
  readonly shownAs?: string;
}

/** How the resources of one run write: what each of them may touch, and what the user is told about it. */
export class Writes {
  readonly claims = new Claims();
  readonly folders: FolderLookup;
  readonly context: GitContext;
  readonly warn: Warn;
  readonly #version: string;
  readonly #writers: WriterLookup;

  constructor(version: string, context: GitContext, warn: Warn) {
    this.context = context;
    this.folders = new FolderLookup(context);
    this.warn = warn;
    this.#version = version;
    this.#writers = new WriterLookup(context);
  }

  /**
   * See takeOver; `comes`: set where the resource was elsewhere before, or nowhere; `back`: what it comes back to. The write
   * follows at once: until then, one that is about to be pushed waits for it.
   */
  async takeOver(
    urn: string,
    wanted: GitFilesInputs,
    known: GitFilesState["blobs"],
    { comes, back = {} }: { readonly comes?: "new" | "moved"; readonly back?: GitFilesState["blobs"] } = {},
  ): Promise<Record<string, ObjectId>> {
    const assertOurs = (): void => assertFree(urn, wanted, known, this.claims, comes !== undefined);
    assertOurs();
    // Files of others are still there, so they may want them, or be about to move away from them.
    const onFound = async (writers: ReadonlyMap<string, string | undefined>): Promise<void> => {
      const names = [...new Set(writers.values())].filter((name) => name !== undefined);
      await this.claims.seen.waitFor(names);
      assertOurs();
      if (comes === "moved") assertSeen(wanted, writers, (name) => this.claims.seen.has(name));
    };
    const over = announceWrite({ url: wanted.repository, branch: wanted.branch });
    try {
      const own = { ...back, ...known };
      const beside = comes === "moved" ? await this.#beside(wanted, own) : [];
      const look = { lookup: this.#writers, beside, onFound };
      const taken = await takeOver(provenanceOf(urn, this.#version), wanted, own, look);
      // Not all is told by what is there: a folder may be empty, and what looks the same is taken over without a commit.
      if (comes === "moved") {
        await this.claims.seen.settle();
        assertOurs();
      }
      this.claims.arrives(urn);
      return taken;
    } finally {
      over();
    }
  }

  /** What is in the very folders that files are to come to, beside these and what is known, below the directory. */
  async #beside(wanted: GitFilesInputs, known: GitFilesState["blobs"]): Promise<string[]> {
    const { repository: url, branch, directory, files } = wanted;
    const found = await this.folders.filesIn({ url, branch }, [...foldersOf(wanted)]);
    return [...(found?.keys() ?? [])]
      .map((path) => pathBelow(directory, path))
      .filter((path) => /\.ya?ml$/.test(path) && !Object.hasOwn(files, path) && !Object.hasOwn(known, path));
  }

  /** See assertUnchanged. */
  assertUnchanged(urn: string, state: GitFilesState, wanted: GitFilesInputs): Promise<void> {
    return assertUnchanged(provenanceOf(urn, this.#version), state, wanted, this.#writers, this.context);
  }

  /** What the resource may change or delete: what it wrote, without what only another one wants in this run. */
  ownedBy(urn: string, state: GitFilesState, wanted?: GitFilesInputs): Record<string, ObjectId> {
    const stays = wanted?.directory === state.directory ? wanted.files : {};
    const own = Object.entries(state.blobs).filter(
      ([path]) => Object.hasOwn(stays, path) || !this.claims.isTaken(urn, state, path),
    );
    return Object.fromEntries(own);
  }

  /** Of the rest of what it wrote, what nobody else has or gets. */
  claimedOf(urn: string, state: GitFilesState, wanted?: GitFilesInputs): Record<string, ObjectId> {
    const owned = this.ownedBy(urn, state, wanted);
    const claimed = Object.entries(state.blobs).filter(
      ([path]) => !Object.hasOwn(owned, path) && !this.claims.isHandedOver(urn, state, path),
    );
    return Object.fromEntries(claimed);
  }

  /** Brings the inputs to the branch, and tells what waits for people and what was left. Rejects with GitError. */
  async write(
    urn: string,
    inputs: GitFilesInputs,
    operation: Provenance["operation"],
    before: Before = {},
  ): Promise<DeliveryResult> {
    const request = this.#request(urn, inputs, operation, before);
    const result = await deliverFiles(request, this.context);
    const note = pullRequestNote(result, request.branch);
    if (note !== undefined) await this.warn(urn, note);
    if (result.remade) {
      const place = before.shownAs ?? inputs.directory;
      await this.warn(
        urn,
        `none of its files was left in ${showFolder(place)} on branch ${inputs.branch}: someone deleted or reverted them ` +
          `all, or set the branch back. They are written again.`,
      );
    }
    if (result.waiting) {
      const { branch, delivery, onMove } = inputs;
      await this.warn(urn, waitingNote(result.waiting, { branch, delivery, held: onMove === "finish" }));
    }
    if (result.kept.length > 0) {
      const kept = result.kept.join(", ");
      await this.warn(
        urn,
        `left in the repository, since it is not as Arcflux left it: ${kept}. ` +
          `Delete it there by hand if it is not wanted, and no cluster follows that folder.`,
      );
    }
    return result;
  }

  #request(
    urn: string,
    inputs: GitFilesInputs,
    operation: Provenance["operation"],
    { owned = {}, adopted = {}, executable, pullRequest, commit: after, stays, followed, movedAs }: Before,
  ): DeliveryRequest {
    const { repository: url, branch, directory, files, message, author, adopt, drift, delivery } = inputs;
    const root = { repository: url, branch, directory: "" };
    const spared = (path: string): boolean =>
      stays?.has(path) === true || this.claims.isTaken(urn, root, path);
    const provenance = provenanceOf(urn, this.#version, operation);
    return {
      ...{ url, branch, directory, files, message, author, adopt, drift, delivery, provenance },
      ...{ owned, adopted, executable, owner: urn, after, spared, pullRequest, followed, movedAs },
    };
  }
}

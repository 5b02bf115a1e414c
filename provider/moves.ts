import { branchKey } from "../git/branchKey.ts";
import { type Delivery, type GitContext, GitError } from "../git/index.ts";
import type { Claims } from "./claims.ts";
import { filesLost } from "./filesLost.ts";
import { FolderLookup } from "./folderLookup.ts";
import { knownPlace } from "./inputs.ts";
import { unwrapOutputs } from "./markers.ts";
import { lostNote } from "./moveNotes.ts";
import type { GitFilesState } from "./state.ts";
import type { Warn } from "./writes.ts";

/** Milliseconds that a preview waits for a repository, which it must do without where there is no network. */
const patience = 30_000;

/** Tells, before anything is written, what the moves of a run take away from others. */
export class Moves {
  readonly #lookup: FolderLookup;
  readonly #warn: Warn;
  /** Branches of which it was said that they could not be looked at. */
  readonly #unread = new Set<string>();

  readonly #claims: Claims;

  constructor(context: GitContext, warn: Warn, claims: Claims) {
    this.#claims = claims;
    const timeouts = { fetch: patience, local: patience, ...context.timeouts };
    this.#lookup = new FolderLookup({ ...context, timeouts });
    this.#warn = warn;
  }

  /** `news` are inputs as the engine sends them; where a part of the place is not known yet, there is nothing to tell. */
  async warnOf(urn: string, state: GitFilesState, news: Readonly<Record<string, unknown>>): Promise<void> {
    const to = knownPlace(news);
    if (to === undefined) return;
    try {
      const { createBranch } = Object(unwrapOutputs(news["delivery"])) as Delivery;
      const isOurs = (path: string): boolean => this.#claims.isKnown(urn, state, path);
      for (const lost of await filesLost(state, { ...to, createBranch }, this.#lookup, isOurs))
        await this.#warn(urn, lostNote(lost));
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const key = branchKey({ url: state.repository, branch: state.branch });
      if (this.#unread.has(key)) return;
      this.#unread.add(key);
      await this.#warn(
        urn,
        `the files move, and whether others have files where they are now could not be looked at: ${error.message}\n` +
          `When the cluster follows, Flux deletes what such files applied, unless they are in the new folder too.`,
      );
    }
  }
}

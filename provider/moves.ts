import { GitError, branchKey } from "../git/index.ts";
import type { Delivery } from "../git/index.ts";
import { filesLost } from "./filesLost.ts";
import { knownPlace } from "./inputs.ts";
import { unwrapOutputs } from "./markers.ts";
import { lostNote } from "./moveNotes.ts";
import type { GitFilesState } from "./state.ts";
import type { Writes } from "./writes.ts";

/** Milliseconds that a preview waits for a repository, which it must do without where there is no network. */
const patience = 30_000;

/** Tells, before anything is written, what the moves of a run take away from others. */
export class Moves {
  readonly #writes: Writes;
  /** Branches of which it was said that they could not be looked at. */
  readonly #unread = new Set<string>();

  constructor(writes: Writes) {
    this.#writes = writes;
  }

  /** `news` are inputs as the engine sends them; where a part of the place is not known yet, there is nothing to tell. */
  async warnOf(urn: string, state: GitFilesState, news: Readonly<Record<string, unknown>>): Promise<void> {
    const to = knownPlace(news);
    if (to === undefined) return;
    const { claims, folders, warn } = this.#writes;
    try {
      const { createBranch } = Object(unwrapOutputs(news["delivery"])) as Delivery;
      const isOurs = (path: string): boolean => claims.isKnown(urn, state, path);
      const found = filesLost(state, { ...to, createBranch }, folders, isOurs);
      for (const lost of await within(patience, found)) await warn(urn, lostNote(lost));
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const key = branchKey({ url: state.repository, branch: state.branch });
      if (this.#unread.has(key)) return;
      this.#unread.add(key);
      await warn(
        urn,
        `the files move, and whether others have files where they are now could not be looked at: ${error.message}\n` +
          `When the cluster follows, Flux deletes what such files applied, unless they are in the new folder too.`,
      );
    }
  }
}

/** Rejects with GitError where something takes longer, in milliseconds. */
function within<T>(longest: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => {
    late.reject(new GitError("timeout", `There was no answer within ${longest / 1000} s.`));
  }, longest);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

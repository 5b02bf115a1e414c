import type { GitError } from "../words/errors.ts";

/** How much is asked of a server. */
export interface Tier {
  /** Filter of the first fetch; undefined fetches everything of the tip. */
  readonly tip: string | undefined;
  /** Whether folders are fetched one by one; otherwise the first fetch brought them all. */
  readonly trees: boolean;
  readonly format: "sha1" | "sha256";
}

/** The server cannot do what this tier asks; `error` is what to report when no tier is left. */
export class Unsupported extends Error {
  readonly error: GitError;
  readonly stderr: string;

  constructor(error: GitError, stderr: string) {
    super(error.message);
    this.error = error;
    this.stderr = stderr;
  }
}

/** Whether a failed fetch says that the server lacks filters, or keeps its objects in another format. */
export function needsAnotherTier(stderr: string): boolean {
  return /filter|unadvertised object|not our ref|mismatched algorithms/i.test(stderr);
}

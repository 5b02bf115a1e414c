import { GitError } from "./errors.ts";
import type { Conflict } from "./errors.ts";
import type { Branch } from "./types.ts";

/** One error for every path in conflict, with the ways on. */
export function conflictError({ url, branch }: Branch, conflicts: readonly Conflict[]): GitError {
  const count = conflicts.length === 1 ? "1 path is" : `${conflicts.length} paths are`;
  const lines = [
    `Branch ${branch} of ${url}: ${count} not as this stack left them, so nothing was written.`,
    ...conflicts.map(({ path, reason }) => `  ${path}: ${reason}`),
    `Ways on: take the change into the fleet file, so that both say the same; or revert the commit that made it ` +
      `(git log ${branch} -- PATH shows it); or move the file out of the folder. Then run again.`,
  ];
  return new GitError("conflict", lines.join("\n"), conflicts);
}

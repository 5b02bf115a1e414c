import type { BranchLine, ToldCommit } from "../git/index.ts";

/**
 * The commit that a branch was at: the newest of its own line that was committed by then, as
 * `git rev-list -1 --first-parent --before=TIME` finds it. `unknown` where the branch was not read that far back.
 */
export function commitAt({ line, whole }: BranchLine, at: Date): ToldCommit | "unknown" | undefined {
  const seconds = Math.floor(at.getTime() / 1000);
  return line.find(({ time }) => time <= seconds) ?? (whole ? undefined : "unknown");
}

import type { Waiting } from "../git/index.ts";

/** What the user has to know of files that stay for a while where they moved from. */
export function waitingNote({ folder, beside }: Waiting, branch: string): string {
  const place = folder === "" ? "the root of the repository" : folder;
  return (
    `the files are in their new place, and those in ${place} on branch ${branch} stay for now: others have files there ` +
    `too (${beside}), and Flux, left with these alone, would delete what ours applied. What those files applied goes ` +
    `when the cluster follows the new place, unless they move there too. When it follows, take ours out: ` +
    `pulumi config set arcflux:onMove finish, pulumi up, and pulumi config rm arcflux:onMove.`
  );
}

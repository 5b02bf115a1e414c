import type { Waiting } from "../git/index.ts";
import { printable, showNames } from "../wording/show.ts";
import type { FilesLost } from "./filesLost.ts";

/** What the user has to know of files that stay for a while where they moved from. */
export function waitingNote({ folder, beside }: Waiting, branch: string): string {
  return (
    `the files are in their new place, and those in ${showFolder(folder)} on branch ${branch} stay for now: others have ` +
    `files there too (${printable(beside)}), and Flux, left with these alone, would delete what ours applied. When the ` +
    `cluster follows the new place, take ours out: pulumi config set arcflux:onMove finish, pulumi up, and ` +
    `pulumi config rm arcflux:onMove.`
  );
}

/** What the user has to know of files of others before ours move. */
export function lostNote({ paths, folders }: FilesLost): string {
  return (
    `the files move, and others have files where they were that are not in the new place: ` +
    `${showNames(paths.map(printable), 5)}. When the cluster follows, Flux deletes what those applied. ` +
    `To keep that, commit them to ${folders.map(showFolder).join(" or ")} first.`
  );
}

/** A folder from the root of the repository, in a sentence. */
export function showFolder(folder: string): string {
  return folder === "" ? "the root of the repository" : printable(folder);
}

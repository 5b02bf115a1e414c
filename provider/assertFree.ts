import { fullPath } from "../values/path.ts";
import { GitError } from "../git/index.ts";
import { printable } from "../values/show.ts";
import { type Claims, type Meeting, stops } from "./claims.ts";
import type { GitFilesInputs } from "./inputs.ts";
import { resourceName } from "./provenance.ts";
import type { GitFilesState } from "./state.ts";

/**
 * Two resources that want one file would write over each other at every update. And where one comes (`comes`) to a folder
 * that another moves away from, the cluster of that one may still look there, and would take the files for its own.
 *
 * @throws GitError "conflict" that names the files, the other resource and the ways on.
 */
export function assertFree(
  urn: string,
  wanted: GitFilesInputs,
  known: GitFilesState["blobs"],
  claims: Claims,
  comes: boolean,
): void {
  const paths = Object.keys(wanted.files).filter((path) => !Object.hasOwn(known, path));
  const taken = paths.flatMap((path) => {
    const holder = claims.holderOf(urn, wanted, path);
    return holder === undefined
      ? []
      : [`  ${fullPath(wanted.directory, path)} is one of ${resourceName(holder)}\n`];
  });
  if (taken.length > 0) {
    throw new GitError(
      "conflict",
      `Two resources of this stack want the same files, so nothing was written:\n${taken.join("")}` +
        `Give each a folder or names of its own, and run again.`,
    );
  }
  if (!comes) return;
  const decided = wanted.adopt === "overwrite";
  const left = paths.flatMap((path) => {
    const leaver = claims.leftBy(urn, wanted, path);
    return stops(leaver, decided) ? [{ path: fullPath(wanted.directory, path), leaver }] : [];
  });
  if (left.length > 0) throw new GitError("conflict", leftText(left));
}

/** Of at least one path that is in a folder that another leaves: what that is about, and the ways on. */
export function leftText(left: readonly Pick<Meeting, "path" | "leaver">[]): string {
  const lines = left.map(
    ({ path, leaver }) => `  ${path} is in a folder that is left by ${resourceName(leaver.urn)}\n`,
  );
  const now = left.every(({ leaver }) => leaver.ends) ? again : "";
  const decide = left.some(({ leaver }) => leaver.waits) ? noDecision : decision;
  return (
    `Another resource of this stack moves away from where these files are to come, or has, and its cluster may not have ` +
    `followed yet:\n${lines.join("")}${now}${oneAtATime} ${decide}`
  );
}

/**
 * Before a resource moves to where others of its stack have files (`writers`: see Look): all of these must have been seen
 * in this run, by the name of the resource, since otherwise nobody knows whether they stay there.
 *
 * @throws GitError "conflict" that names the files, the other resources and the ways on.
 */
export function assertSeen(
  { directory, onMove }: GitFilesInputs,
  writers: ReadonlyMap<string, string | undefined>,
  isSeen: (name: string) => boolean,
): void {
  const unseen = [...writers]
    .flatMap(([path, name]) =>
      name === undefined || isSeen(name)
        ? []
        : [`  ${fullPath(directory, path)} was written by ${printable(name)}`],
    )
    .join("\n");
  if (unseen === "") return;
  throw new GitError(
    "conflict",
    `Another resource of this stack has files where this one is to come, and the update has not come to it, so it may still ` +
      `be there:\n${unseen}\n${onMove === "finish" ? again : ""}${oneAtATime} ${decision} If that one is not in the program any ` +
      `more, its files go first: run pulumi up with --continue-on-error, and again, or leave this one where it is for one ` +
      `pulumi up. Where they stayed, since nobody has them now, delete them by hand, or use adopt overwrite.`,
  );
}

const again =
  "arcflux:onMove is finish: when this update has taken out what waits there, run pulumi up again, and this goes on. Else: ";

const oneAtATime =
  "A cluster that still follows that folder would delete its own sets and apply these. Move one at a time: leave this " +
  "one where it is, run pulumi up, and when the other cluster follows its new folder, set stack config arcflux:onMove " +
  "finish, run pulumi up, and move this one then. Two that swap need a third folder for a while.";

const decision =
  "If no cluster follows the old folder, set stack config arcflux:adopt overwrite for this update.";

/** Two resources that have one file would each take it away from the other. */
const noDecision = "Files of the other one wait there, so arcflux:adopt overwrite does not count.";

import type { Delivery, Waiting } from "../git/index.ts";
import { printable, showNames } from "../values/show.ts";
import type { FilesLost } from "./filesLost.ts";

/**
 * What the user has to know of files that stay for a while where they moved from. `held`: the word that takes them out was
 * there before they moved, and so was not said of them.
 */
export function waitingNote(
  { folder, beside }: Waiting,
  {
    branch,
    delivery,
    held,
  }: { readonly branch: string; readonly delivery?: Delivery | undefined; readonly held: boolean },
): string {
  const [now, then] =
    delivery?.mode === "pullRequest"
      ? [
          "the files go to their new place with the merge",
          "When that is done and the cluster follows the new place",
        ]
      : ["the files are in their new place", "When the cluster follows that"];
  const next = held
    ? "arcflux:onMove is finish since before this move, which does not count for it. Now run pulumi config rm " +
      `arcflux:onMove and pulumi up. ${then}`
    : then;
  const others =
    beside === undefined
      ? "should others put files there, Flux, left"
      : `others have files there too (${printable(beside)}), and Flux, left`;
  return (
    `${now}, and those in ${showFolder(folder)} on branch ${branch} stay for now: ${others} with these alone, would ` +
    `delete what ours applied. ${next}, take ours out: ${takeOut}`
  );
}

/** What the user has to know of files that stay since another resource wants to come to where they are. */
export function claimedNote({
  directory,
  branch,
}: {
  readonly directory: string;
  readonly branch: string;
}): string {
  return (
    `its files stay for now in ${showFolder(directory)} on branch ${branch}, where another resource of this stack wants to ` +
    `come. When the cluster follows the new place, take them out: ${takeOut}`
  );
}

const takeOut = "pulumi config set arcflux:onMove finish, pulumi up, and pulumi config rm arcflux:onMove.";

/** What the user has to know of files of others before ours move. */
export function lostNote({ paths, folders, closed, on }: FilesLost): string {
  const where = on === undefined ? "" : ` on branch ${on.branch} of ${on.url}`;
  const place = `${folders.map(showFolder).join(" or ")}${where}`;
  const [how, keep] = closed
    ? [
        "do not come along",
        `have a set of yours apply them: in ${place}, Flux takes the generated files alone`,
      ]
    : ["are not in the new place", `commit them to ${place} first`];
  return (
    `the files move, and others have files where they were that ${how}: ${showNames(paths.map(printable), 5)}. ` +
    `When the cluster follows, Flux deletes what those applied. To keep that, ${keep}.`
  );
}

/** A folder from the root of the repository, in a sentence. */
export function showFolder(folder: string): string {
  return folder === "" ? "the root of the repository" : printable(folder);
}

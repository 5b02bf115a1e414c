import { fullPath } from "../values/path.ts";
import { printable, showNames } from "../values/show.ts";
import { blobId } from "./blob.ts";
import { deleted, type GitFilesState } from "./state.ts";

/**
 * What an update will stop at, as far as a refresh has seen it, for those who look at a preview; undefined where it will
 * not stop.
 */
export function driftNote(
  { directory, branch, seen = {} }: GitFilesState,
  { files, drift }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (drift === "restore") return undefined;
  const wanted = Object(files) as Readonly<Record<string, unknown>>;
  const stops = Object.entries(seen).flatMap(([path, now]) => {
    const text = wanted[path];
    // What the fleet drops stays as it is, and what it takes over is the same.
    if (typeof text !== "string" || (now !== deleted && blobId(text, now) === now)) return [];
    return [`${printable(fullPath(directory, path))}${now === deleted ? " (deleted)" : ""}`];
  });
  if (stops.length === 0) return undefined;
  return (
    `someone changed what Arcflux wrote on branch ${branch}: ${showNames(stops, 5)}. An update stops there and says who ` +
    `did. Take the change into the fleet file, revert it, or set drift: "restore" to put ours back (stack config arcflux:drift).`
  );
}

import { conflictError } from "../git/conflict.ts";
import { GitError, type Provenance } from "../git/index.ts";
import { fullPath } from "../git/plan.ts";
import { nameOf } from "../git/vacate.ts";
import type { GitFilesInputs } from "./inputs.ts";
import type { GitFilesState } from "./state.ts";
import type { WriterLookup } from "./writerLookup.ts";

/**
 * Before a move to another branch or repository: what someone changed where the files are would be left behind, unless
 * they are to be put back anyway. A place that cannot be read any more holds nothing up.
 *
 * @throws GitError "conflict" that names the files, who changed them and the ways on.
 */
export async function assertUnchanged(
  { project, stack }: Provenance,
  { repository: url, branch, directory, blobs }: GitFilesState,
  { files, drift }: GitFilesInputs,
  lookup: WriterLookup,
): Promise<void> {
  if (drift === "restore") return;
  const names = new Set(Object.keys(files).map(nameOf));
  const paths = Object.keys(blobs).filter((path) => names.has(nameOf(path)));
  const own = `${project}/${stack}`;
  const found = await lookup.find({ url, branch, directory, paths }).catch((error: unknown) => {
    if (error instanceof GitError && error.kind !== "abandoned") return new Map<string, never>();
    throw error;
  });
  const conflicts = [...found].flatMap(([path, { blob, by }]) => {
    // What a killed run of this stack left there is no change of anybody.
    if (blob === blobs[path] || by?.writer === own) return [];
    const reason = "someone changed it after this stack wrote it, and the move would leave that behind";
    return [
      { path: fullPath(directory, path), reason, found: blob, expected: blobs[path], changed: true, by },
    ];
  });
  if (conflicts.length > 0) throw conflictError({ url, branch }, conflicts, undefined, own);
}

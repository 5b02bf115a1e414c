import { fullPath } from "../values/path.ts";
import { compareMeaning } from "../flux/compareMeaning.ts";
import { GitError, conflictError, leftBehind, namesake, readFiles } from "../git/index.ts";
import type { GitContext, Provenance } from "../git/index.ts";
import type { GitFilesInputs } from "./inputs.ts";
import type { GitFilesState } from "./state.ts";
import type { Found, WriterLookup } from "./writerLookup.ts";

/**
 * Before a move to another branch or repository: what someone changed where the files are would be left behind, unless
 * they are to be put back anyway, or the change is among what is wanted. A place that cannot be read any more holds nothing
 * up.
 *
 * @throws GitError "conflict" that names the files, the differences, who changed them and the ways on.
 */
export async function assertUnchanged(
  { project, stack }: Provenance,
  { repository: url, branch, directory, blobs, executable = [] }: GitFilesState,
  { branch: onBranch, directory: to, files, drift }: GitFilesInputs,
  lookup: WriterLookup,
  context: GitContext,
): Promise<void> {
  if (drift === "restore") return;
  const goesTo = (path: string): string | undefined => namesake(path, Object.keys(files));
  const paths = Object.keys(blobs).filter((path) => goesTo(path) !== undefined);
  const own = `${project}/${stack}`;
  const place = { url, branch, directory };
  const found = await lookup.find({ ...place, paths }).catch(letGo(new Map<string, Found>()));
  const byMode = (path: string, now: Found): boolean => now.executable && !executable.includes(path);
  // What a killed run of this stack left there is no change of anybody.
  const changed = [...found].filter(
    ([path, now]) => (now.blob !== blobs[path] || byMode(path, now)) && now.by?.writer !== own,
  );
  if (changed.length === 0) return;
  const names = changed.map(([path]) => path);
  const seen = await readFiles({ ...place, paths: names, contentsOf: () => names }, context).catch(
    letGo(undefined),
  );
  const conflicts = changed.flatMap(([path, now]) => {
    const target = goesTo(path) ?? "";
    const theirs = seen?.contents?.[path]?.toString("utf8") ?? "";
    const { same, differences } = compareMeaning(target, theirs, files[target] ?? "");
    const from = { path: fullPath(directory, path), to: `${fullPath(to, target)} on branch ${onBranch}` };
    const mode = same && byMode(path, now);
    if (same && !mode) return [];
    return [{ ...leftBehind(from, now.blob, blobs[path], { differences, byMode: mode }), by: now.by }];
  });
  if (conflicts.length > 0) throw conflictError({ url, branch }, conflicts, undefined, own);
}

/** What to go on with where a place cannot be read. */
function letGo<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof GitError && error.kind !== "abandoned") return instead;
    throw error;
  };
}

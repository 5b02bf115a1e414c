import { GitError } from "../git/index.ts";
import type { ObjectId, Provenance } from "../git/index.ts";
import type { GitFilesInputs } from "./inputs.ts";
import type { WriterLookup } from "./writerLookup.ts";

/** How to look at what is there. */
export interface Look {
  readonly lookup: WriterLookup;
  /** Paths below the directory in the folders that are wanted, of files that are neither wanted nor known. */
  readonly beside?: readonly string[];
  /**
   * Gets what this stack wrote of the files that are wanted and those beside them, where there is anything: by path, the
   * name of the other resource that did; undefined for this one. May reject.
   */
  readonly onFound?: (writers: ReadonlyMap<string, string | undefined>) => Promise<void>;
}

/**
 * Of the files that are wanted and not known to the state, those on the branch that this very stack wrote: a run that
 * could not save its state left them. What another stack wrote is not taken over by looking the same: when one of the
 * two is destroyed, the other would lose what its cluster runs.
 *
 * @throws GitError "conflict" that names the files, who wrote them and the ways on.
 */
export async function takeOver(
  { project, stack, resource }: Provenance,
  { repository: url, branch, directory, files, adopt, delivery }: GitFilesInputs,
  known: Readonly<Record<string, ObjectId>>,
  { lookup, beside = [], onFound = () => Promise.resolve() }: Look,
): Promise<Record<string, ObjectId>> {
  const paths = Object.keys(files).filter((path) => !Object.hasOwn(known, path));
  if (adopt === "overwrite" || paths.length + beside.length === 0) return {};
  // What a pull request brings to the branch comes in the host's own commits, which need not tell of any stack, and
  // this stack knows its files by its side branch.
  const merged = delivery?.mode === "pullRequest";
  const all = [...(await lookup.find({ url, branch, directory, paths: [...paths, ...beside] }))];
  const own = `${project}/${stack}`;
  const writers = all.flatMap(([path, { by }]) =>
    by?.writer === own ? [[path, by.resource === resource ? undefined : by.resource] as const] : [],
  );
  if (writers.length > 0) await onFound(new Map(writers));
  const wanted = new Set(paths);
  const found = all.filter(([path]) => wanted.has(path));
  const refused = found.flatMap(([path, { by }]) => {
    if (by === undefined)
      return merged ? [] : [`${path}: last changed so long ago that it cannot be told by whom`];
    return by.writer === undefined || by.writer === own
      ? []
      : [`${path}: written by stack ${by.writer} (commit ${by.commit.slice(0, 10)})`];
  });
  if (refused.length > 0) {
    const place = directory === "" ? branch : directory;
    throw new GitError("conflict", `${place}: ${refused.join("; ")}. ${waysOn}`);
  }
  return Object.fromEntries(
    found.flatMap(([path, { blob, by }]) => (by?.writer === own && !merged ? [[path, blob]] : [])),
  );
}

const waysOn =
  "Two stacks must not manage one folder: destroying one would take the files from the other. Select other clusters " +
  "here (arcflux:clusters), or move the resource with `pulumi state move`. Only where that stack is gone for good, take the " +
  "files over with stack config arcflux:adopt overwrite: from then on this stack deletes them with its own.";

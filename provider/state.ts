import { folderOf, fullPath, fullPaths, isInside, pathBelow } from "../values/path.ts";
import { branchKey } from "../git/index.ts";
import type { DeliveryResult, Identity, ObjectId, PullRequestInfo, ReadResult } from "../git/index.ts";
import type { GitFilesInputs } from "./inputs.ts";

/**
 * Outputs of a GitFiles resource, which is all that a later diff, update or delete knows of it. The content of the
 * files is not among them: the blobs say as much, and Pulumi keeps the inputs beside them.
 */
export interface GitFilesState extends Omit<GitFilesInputs, "files"> {
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  readonly author: Identity;
  readonly commit: ObjectId;
  /** Path below the directory to the blob that was left there: the one written, or one found to mean the same. */
  readonly blobs: Readonly<Record<string, ObjectId>>;
  /** Those of `blobs` that were found, with the blob that would have been written. */
  readonly adopted?: Readonly<Record<string, ObjectId>>;
  /** Those of `blobs` that were executable when they were found. */
  readonly executable?: readonly string[];
  /** Of a delivery by pull request: where it stands, as of the last write or refresh. */
  readonly pullRequest?: PullRequestInfo;
  /** Only after a refresh that saw something else: path to the blob seen (`, executable` after it), or `deleted`. */
  readonly seen?: Readonly<Record<string, string>>;
  /** Places left, where files of ours wait for clusters to follow, until `onMove` is `finish`. */
  readonly leaving?: readonly LeftPlace[];
  /** Folders left, where nothing waits perhaps and nobody else is to come to, until `onMove` is `finish`. */
  readonly left?: readonly LeftFolders[];
}

/** Folders of a branch that a cluster may still follow. */
export interface LeftFolders extends Pick<GitFilesState, "repository" | "branch"> {
  /** From the root; at least one. */
  readonly folders: readonly string[];
}

/** What of a state is about files that stay where the resource was. */
export interface LeftPlace extends Pick<
  GitFilesState,
  "repository" | "branch" | "directory" | "commit" | "blobs" | "executable" | "pullRequest"
> {
  /** Set where `onMove` was `finish` before they were left, which was not said of them: it has to be `wait` in between. */
  readonly held?: true;
}

/** Of a place, the files that `stays` (a path from the root) holds for; undefined where there are none. */
export function leftPlace(
  { repository, branch, directory, commit, blobs, executable, pullRequest, held }: LeftPlace,
  stays: (path: string) => boolean,
): LeftPlace | undefined {
  const kept = Object.entries(blobs).filter(([path]) => stays(fullPath(directory, path)));
  if (kept.length === 0) return undefined;
  return {
    ...{ repository, branch, directory, commit, blobs: Object.fromEntries(kept) },
    ...(executable && { executable }),
    ...(pullRequest && { pullRequest }),
    ...(held && { held }),
  };
}

/** What a write has left to wait where the files were, and what a killed run had left there. */
export function leftAt(
  place: LeftPlace,
  result: Pick<DeliveryResult, "waiting"> | undefined,
): LeftPlace | undefined {
  const { directory } = place;
  const found = Object.entries(result?.waiting?.blobs ?? {}).filter(([path]) => isInside(path, directory));
  const blobs = Object.fromEntries(found.map(([path, blob]) => [pathBelow(directory, path), blob]));
  return leftPlace({ ...place, blobs }, () => true);
}

/** The folders, from the root, in which files are wanted. */
export function foldersOf({
  directory,
  files,
}: Pick<GitFilesInputs, "directory" | "files">): ReadonlySet<string> {
  return new Set(fullPaths(directory, Object.keys(files)).map(folderOf));
}

/** Paths from the root at which something waits on a branch: what the resource knows to be its own. */
export function pathsLeft(
  { leaving = [] }: GitFilesState,
  branch: Pick<GitFilesState, "repository" | "branch">,
): ReadonlySet<string> {
  const there = leaving.filter((place) => sameBranch(place, branch));
  return new Set(there.flatMap(({ directory, blobs }) => fullPaths(directory, Object.keys(blobs))));
}

/** The resource as if it were still at a place that it has left: nothing of where it is now is about that one. */
export function stateAt(state: GitFilesState, place: LeftPlace): GitFilesState {
  const rest = without(state, "adopted", "executable", "pullRequest", "seen", "leaving", "left");
  return { ...rest, ...without(place, "held") };
}

/** The state with other places that were left, held or not (see LeftPlace). */
export function withLeaving(
  state: GitFilesState,
  places: readonly LeftPlace[],
  held: boolean,
): GitFilesState {
  const leaving = places.map((place) => ({ ...without(place, "held"), ...(held && { held }) }));
  return { ...without(state, "leaving"), ...(leaving.length > 0 && { leaving }) };
}

export const deleted = "deleted";

/** The state after a write. */
export function stateAfter(inputs: GitFilesInputs, result: DeliveryResult, left?: LeftPlace): GitFilesState {
  const { commit, blobs, adopted, executable, pullRequest } = result;
  return {
    ...without(inputs, "files"),
    commit,
    blobs,
    ...(adopted && { adopted }),
    ...(executable && { executable }),
    ...(pullRequest && { pullRequest }),
    ...(left && { leaving: [left] }),
  };
}

/** Whether both lie on the same branch of the same repository, by the spelling of its URL. */
export function sameBranch(
  a: { readonly repository: string; readonly branch: string },
  b: { readonly repository: string; readonly branch: string },
): boolean {
  const key = ({ repository: url, branch }: typeof a): string => branchKey({ url, branch });
  return key(a) === key(b);
}

/** What of the state's blobs is not what was seen on the branch; undefined when nothing. */
export function driftOf(
  { blobs, executable = [] }: Pick<GitFilesState, "blobs" | "executable">,
  { blobs: now, executable: nowExecutable = [] }: Pick<ReadResult, "blobs" | "executable">,
): Record<string, string> | undefined {
  const changed = Object.entries(blobs).flatMap(([path, blob]) => {
    const seen = now[path] ?? deleted;
    const byMode = nowExecutable.includes(path) && !executable.includes(path);
    return seen === blob && !byMode ? [] : [[path, byMode ? `${seen}, executable` : seen] as const];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** The state with what a refresh saw, in place of what an earlier one saw. */
export function withSeen(state: GitFilesState, seen: GitFilesState["seen"]): GitFilesState {
  return { ...without(state, "seen"), ...(seen && { seen }) };
}

/**
 * Inputs that would have made what a refresh saw, so that the engine shows a drift as a change of the very lines.
 * Undefined where the state does not hold them all, as that of an older version.
 */
export function inputsAsSeen(
  state: GitFilesState,
  { contents = {}, executable = [] }: Pick<ReadResult, "contents" | "executable">,
): Record<string, unknown> | undefined {
  if ((state.message as string | undefined) === undefined) return undefined;
  const outputs = [
    "commit",
    "blobs",
    "adopted",
    "executable",
    "seen",
    "pullRequest",
    "leaving",
    "left",
  ] as const;
  const inputs = without(state, ...outputs);
  const byMode = executable.filter((path) => state.executable?.includes(path) !== true);
  const files = Object.entries(contents).map(([path, content]) => {
    // A preview shows lines, so the mode is one.
    return [path, byMode.includes(path) ? `(executable)\n${textOf(content)}` : textOf(content)] as const;
  });
  return { ...inputs, files: Object.fromEntries(files) };
}

function without<T extends object, K extends keyof T>(record: T, ...names: K[]): Omit<T, K> {
  const kept = Object.entries(record).filter(([name]) => !(names as PropertyKey[]).includes(name));
  return Object.fromEntries(kept) as Omit<T, K>;
}

const longest = 1 << 20;

function textOf(content: Buffer): string {
  const text = content.toString("utf8");
  const plain = content.length <= longest && !text.includes("\0") && Buffer.from(text).equals(content);
  return plain ? text : `(${content.length} bytes that are not shown)`;
}

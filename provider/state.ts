import { branchKey } from "../git/index.ts";
import type { Before, DeliveryResult, ObjectId, PullRequestInfo, ReadResult } from "../git/index.ts";
import { fullPath } from "../values/path.ts";
import type { GitFilesInputs } from "./inputs.ts";

/**
 * Outputs of a GitFiles resource, which is all that a later diff, update or delete knows of it. The content of the
 * files is not among them: the blobs say as much, and Pulumi keeps the inputs beside them.
 */
export interface GitFilesState extends Omit<GitFilesInputs, "files" | "deletions"> {
  readonly commit: ObjectId;
  /** Path below the directory to the blob that was left there: the one written, or one found to mean the same. */
  readonly blobs: Readonly<Record<string, ObjectId>>;
  /** The same paths to the serial of the write that last changed them; absent in the state of an older version. */
  readonly serials?: Readonly<Record<string, number>>;
  /** Of the last write; absent in the state of an older version, as is the next. */
  readonly serial?: number;
  /** Whom the inventory names: project, stack and cluster. */
  readonly owner?: string;
  /** Folders left and not released, from the root. */
  readonly left?: readonly string[];
  /** Those of `blobs` that were found, with the blob that would have been written. */
  readonly adopted?: Readonly<Record<string, ObjectId>>;
  /** Those of `blobs` that were executable when they were found. */
  readonly executable?: readonly string[];
  /** Of a delivery by pull request: where it stands, as of the last write or refresh. */
  readonly pullRequest?: PullRequestInfo;
  /** Only after a refresh that saw something else: path to the blob seen (`, executable` after it), or `deleted`. */
  readonly seen?: Readonly<Record<string, string>>;
}

/** Names of the outputs that are no inputs. */
const outputs = [
  "commit",
  "blobs",
  "serials",
  "serial",
  "owner",
  "left",
  "adopted",
  "executable",
  "pullRequest",
  "seen",
] as const;

export const deleted = "deleted";

/** What the state knows of the files, in the words of a write to the same branch. */
export function beforeOf(state: GitFilesState): Before {
  const { directory, followed = "", blobs, serials = {}, adopted = {}, left = [] } = state;
  const full = <T>(record: Readonly<Record<string, T>>): [string, T][] =>
    Object.entries(record).map(([path, value]) => [fullPath(directory, path), value]);
  const files = Object.entries(blobs).map(([path, blob]) => [
    fullPath(directory, path),
    [{ blob, serial: serials[path] }],
  ]);
  return {
    folder: followed === "" ? directory : fullPath(directory, followed),
    files: Object.fromEntries(files) as Before["files"],
    adopted: Object.fromEntries(full(adopted)),
    // An older version kept other things under this name.
    left: left.filter((folder) => typeof folder === "string"),
    ...{ serial: state.serial, owner: state.owner, commit: state.commit },
  };
}

/** The state after a write for an owner. */
export function stateAfter(inputs: GitFilesInputs, owner: string, result: DeliveryResult): GitFilesState {
  const { commit, blobs, serials, serial, left, adopted, executable, pullRequest } = result;
  return {
    ...without(inputs, "files", "deletions"),
    ...{ commit, blobs, serials, serial, owner },
    ...(left.length > 0 && { left }),
    ...(adopted && { adopted }),
    ...(executable && { executable }),
    ...(pullRequest && { pullRequest }),
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

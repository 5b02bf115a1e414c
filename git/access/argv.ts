import type { ObjectId } from "../words/types.ts";

/** Name of the one remote of a scratch repository; unlikely to meet settings a user keeps for `origin`. */
export const remoteName = "arcflux";

/** Ref of a scratch repository that holds the fetched tip. */
export const tipRef = "refs/arcflux/tip";

/** No negotiation: haves would make the server send deltas and the client look for objects it never fetched. */
const noHaves = ["-c", "fetch.negotiationAlgorithm=noop"];
const fetchOptions = [
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--no-auto-maintenance",
];

export function versionArgv(): string[] {
  return ["version"];
}

/** The tip of a branch, one commit deep unless more is asked for. */
export function fetchTipArgv(branch: string, filter: string | undefined, depth = 1): string[] {
  return fetchRevisionArgv(`refs/heads/${branch}`, filter, depth);
}

/** What a full ref or the id of a commit stands for, such as `refs/tags/v1.4.0`. */
export function fetchRevisionArgv(revision: string, filter: string | undefined, depth = 1): string[] {
  const filters = filter === undefined ? [] : [`--filter=${filter}`];
  const refspec = `+${revision}:${tipRef}`;
  return [...noHaves, "fetch", `--depth=${depth}`, ...filters, ...fetchOptions, "--", remoteName, refspec];
}

/** Trees and blobs by id, read from stdin; with `tree:0` exactly those and nothing below them. */
export function fetchObjectsArgv(): string[] {
  return [...noHaves, "fetch", "--filter=tree:0", ...fetchOptions, "--stdin", "--", remoteName];
}

/** Ids of the commits of the branch itself, the tip first: of a merge, what was merged is not among them. */
export function firstParentsArgv(count: number): string[] {
  return ["rev-list", "--first-parent", `--max-count=${count}`, tipRef, "--"];
}

/** Ids of all commits that were fetched, the newest first. */
export function allCommitsArgv(): string[] {
  return ["rev-list", tipRef, "--"];
}

/** Ids of the commits that a merge brought in, the newest first, and of the merge itself. */
export function mergedArgv(merge: ObjectId, count: number): string[] {
  return ["rev-list", `--max-count=${count}`, merge, `^${merge}^1`, "--"];
}

export function listRefsArgv(): string[] {
  // Without --refs: of an annotated tag also the commit that it is for, as NAME^{}.
  return ["ls-remote", "--heads", "--tags", "--", remoteName];
}

/** Names the default branch as `ref: refs/heads/NAME`, a tab, `HEAD`. */
export function defaultBranchArgv(): string[] {
  return ["ls-remote", "--symref", "--", remoteName, "HEAD"];
}

/** Objects named on stdin, one a line: `<id> <type> <size>`, the bytes, a newline. */
export function readObjectsArgv(): string[] {
  return ["cat-file", "--batch"];
}

/** Objects named on stdin, one a line: `<id> <type> <size>`. */
export function sizesArgv(): string[] {
  return ["cat-file", "--batch-check"];
}

/** The message comes on stdin; `signed` takes key and format from the environment. */
export function commitTreeArgv(
  tree: ObjectId,
  parents: ObjectId | readonly ObjectId[],
  { signed = false } = {},
): string[] {
  const list = typeof parents === "string" ? [parents] : parents;
  return [
    "commit-tree",
    ...(signed ? ["-S"] : []),
    ...list.flatMap((parent) => ["-p", parent]),
    "-F",
    "-",
    tree,
  ];
}

/**
 * Not thin: a thin pack would want objects that were never fetched. `expected`: where the branch has to be, as a lease,
 * which holds for as long as nobody moves or deletes it; empty where it must not exist. The commit is made on that tip,
 * so nothing is ever forced.
 */
export function pushArgv(commit: ObjectId, branch: string, expected: ObjectId): string[] {
  return pushRefArgv(commit, `refs/heads/${branch}`, expected);
}

/** A tag that must not exist. */
export function pushTagArgv(id: ObjectId, tag: string): string[] {
  return pushRefArgv(id, `refs/tags/${tag}`, "");
}

/** The message of a tag comes on stdin; `signed` takes key and format from the environment. */
export function tagArgv(name: string, commit: ObjectId, { signed }: { readonly signed: boolean }): string[] {
  return [
    "tag",
    signed ? "--sign" : "--no-sign",
    "--annotate",
    "--cleanup=verbatim",
    "-F",
    "-",
    "--",
    name,
    commit,
  ];
}

function pushRefArgv(id: ObjectId, ref: string, expected: ObjectId): string[] {
  return [
    "push",
    "--porcelain",
    "--no-thin",
    "--no-verify",
    "--no-follow-tags",
    "--recurse-submodules=no",
    `--force-with-lease=${ref}:${expected}`,
    "--",
    remoteName,
    `${id}:${ref}`,
  ];
}

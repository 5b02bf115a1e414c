import type { ObjectId } from "./types.ts";

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

/** The tip of a branch, one commit deep. */
export function fetchTipArgv(branch: string, filter: string | undefined): string[] {
  const filters = filter === undefined ? [] : [`--filter=${filter}`];
  const refspec = `+refs/heads/${branch}:${tipRef}`;
  return [...noHaves, "fetch", "--depth=1", ...filters, ...fetchOptions, "--", remoteName, refspec];
}

/** Trees by id, read from stdin; with `tree:0` exactly those and nothing below them. */
export function fetchTreesArgv(): string[] {
  return [...noHaves, "fetch", "--filter=tree:0", ...fetchOptions, "--stdin", "--", remoteName];
}

export function listBranchesArgv(): string[] {
  return ["ls-remote", "--heads", "--", remoteName];
}

/** Objects named on stdin, one a line: `<id> <type> <size>`, the bytes, a newline. */
export function readObjectsArgv(): string[] {
  return ["cat-file", "--batch"];
}

/** Writes the files named on stdin as they are: no line-ending or filter rule touches them. */
export function writeBlobsArgv(): string[] {
  return ["hash-object", "-w", "-t", "blob", "--no-filters", "--stdin-paths"];
}

/** As above for trees. `--literally`, since an odd entry someone else made must survive as it is. */
export function writeTreesArgv(): string[] {
  return ["hash-object", "-w", "-t", "tree", "--literally", "--no-filters", "--stdin-paths"];
}

/** The message comes on stdin. */
export function commitTreeArgv(tree: ObjectId, parent: ObjectId): string[] {
  return ["commit-tree", "-p", parent, "-F", "-", tree];
}

/** Never forced. Not thin: a thin pack would want objects that were never fetched. */
export function pushArgv(commit: ObjectId, branch: string): string[] {
  return [
    "push",
    "--porcelain",
    "--no-thin",
    "--no-verify",
    "--no-follow-tags",
    "--recurse-submodules=no",
    "--",
    remoteName,
    `${commit}:refs/heads/${branch}`,
  ];
}

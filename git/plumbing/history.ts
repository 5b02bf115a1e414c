import { toBytes } from "../words/bytes.ts";
import type { ChangeOrigin } from "../words/errors.ts";
import type { StoredObject } from "./objects.ts";
import type { Scratch } from "./scratch.ts";
import { takenBack } from "./takenBack.ts";
import { kindOf } from "./tree.ts";
import { trailerPrefix } from "../words/trailers.ts";
import type { ObjectId } from "../words/types.ts";

/** How many commits are looked through, in steps, so that a recent change costs little. */
const depths = [16, 64, 256] as const;

/** Most commits that were looked through when a change was not found. */
export const searched = depths[2];

/** Finds the commit of the branch that last changed each path; one that is not among the newest is absent. */
export async function lastChanges(
  scratch: Scratch,
  branch: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ChangeOrigin>> {
  // Apart from the repository that is pushed from: there, known history would let a push undo a branch set back.
  const apart = await scratch.beside();
  return search(apart, branch, paths).finally(() => apart.close());
}

async function search(
  apart: Scratch,
  branch: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ChangeOrigin>> {
  const found = new Map<string, ChangeOrigin>();
  for (const depth of depths) {
    const commits = await apart.log(branch, depth);
    const open = paths.filter((path) => !found.has(path));
    const ids = await leavesAt(apart, commits.map(treeOf), open);
    const origins = new Map<string, StoredObject>();
    for (const path of open) {
      const at = ids.get(path) ?? [];
      const older = at.findIndex((id) => id !== at[0]);
      const [root] = commits.slice(-1);
      // A history that ends here began with the path as it is.
      const first =
        older > 0 ? commits[older - 1] : isRoot(root) && commits.length < depth ? root : undefined;
      if (first !== undefined) origins.set(path, first);
    }
    for (const [path, first] of origins) found.set(path, await originWithin(apart, first));
    if (found.size === paths.length || commits.length < depth) break;
  }
  return found;
}

/** Every content that files have had on a branch, the newest first, as far as its newest commits tell. */
export async function contentsSince(
  scratch: Scratch,
  branch: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly Buffer[]>> {
  const apart = await scratch.beside();
  try {
    const commits = await apart.log(branch, searched);
    const leaves = await leavesAt(apart, commits.map(treeOf), paths);
    const idsOf = (path: string): ObjectId[] => [
      ...new Set((leaves.get(path) ?? []).flatMap((leaf) => /^100\d{3} (.+)$/.exec(leaf ?? "")?.[1] ?? [])),
    ];
    const blobs = await apart.readBlobs([...new Set(paths.flatMap(idsOf))]);
    const contentOf = (id: ObjectId): Buffer[] => {
      const content = blobs.get(id);
      return content === undefined || "tooLarge" in content ? [] : [content];
    };
    return new Map(paths.map((path) => [path, idsOf(path).flatMap(contentOf)]));
  } finally {
    await apart.close();
  }
}

/** For each path, mode and id of what is there in each of the trees; undefined where nothing is. One fetch for each level. */
export async function leavesAt(
  scratch: Pick<Scratch, "loadTrees">,
  roots: readonly (ObjectId | undefined)[],
  paths: readonly string[],
): Promise<Map<string, (string | undefined)[]>> {
  const ids = new Map<string, (string | undefined)[]>(paths.map((path) => [path, [...roots]]));
  const names = new Map(paths.map((path) => [path, toBytes(path).split("/")]));
  const levels = Math.max(0, ...[...names.values()].map((parts) => parts.length));
  for (let level = 0; level < levels; level += 1) {
    const deeper = paths.filter((path) => (names.get(path)?.length ?? 0) > level);
    const wanted = new Set(deeper.flatMap((path) => ids.get(path) ?? []).filter((id) => id !== undefined));
    const trees = await scratch.loadTrees([...wanted]);
    for (const path of deeper) {
      const name = names.get(path)?.[level];
      const last = level + 1 === names.get(path)?.length;
      ids.set(
        path,
        (ids.get(path) ?? []).map((id) => {
          const entry = id === undefined ? undefined : trees.get(id)?.find((one) => one.name === name);
          if (entry === undefined || (!last && kindOf(entry) !== "folder")) return undefined;
          // A mode is changed by someone, too.
          return last ? `${entry.mode} ${entry.id}` : entry.id;
        }),
      );
    }
  }
  return ids;
}

function trailers(message: string, name: string): (string | undefined)[] {
  const found = message.matchAll(new RegExp(`^${trailerPrefix}${name}: (.+)$`, "gm"));
  return [...found].map(([, value]) => value);
}

function trailer(message: string, name: string): string | undefined {
  return trailers(message, name).at(-1);
}

/** Of a commit that a host made of several there may be more than one, which tells nothing. */
function onlyTrailer(message: string, name: string): string | undefined {
  const values = new Set(trailers(message, name));
  return values.size === 1 ? [...values][0] : undefined;
}

/** Project and stack of a commit that Arcflux made. */
function writerOf(message: string): string | undefined {
  const [project, stack] = [trailer(message, "Project"), trailer(message, "Stack")];
  return project === undefined || stack === undefined ? undefined : `${project}/${stack}`;
}

function treeOf({ content }: StoredObject): ObjectId | undefined {
  return /^tree ([0-9a-f]+)\n/.exec(content.toString("latin1", 0, 80))?.[1];
}

function isRoot(commit: StoredObject | undefined): commit is StoredObject {
  return commit !== undefined && parents(commit) === 0;
}

function isMerge(commit: StoredObject): boolean {
  return parents(commit) > 1;
}

function parents({ content }: StoredObject): number {
  return (
    content
      .toString("utf8")
      .split("\n\n", 1)[0]
      ?.match(/^parent /gm)?.length ?? 0
  );
}

/** A merge is what its branch was: where it brought a revert in, it reverts. */
async function originWithin(apart: Scratch, commit: StoredObject): Promise<ChangeOrigin> {
  const origin = originOf(commit);
  if (origin.reverts !== undefined || !isMerge(commit)) return origin;
  const reverts = (await apart.merged(commit.id)).map((one) => originOf(one).reverts);
  return { ...origin, reverts: reverts.find((one) => one !== undefined) };
}

/** The end of the year 9999, in seconds: anything later is not a date that a clock ever showed. */
const lastDate = 253_402_300_799;

/** A date as git stores it, in ISO 8601; anybody may write any number there. */
function dateOf(seconds: number, zone: string): string {
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d\d)(\d\d)/.exec(zone) ?? [];
  const local = seconds + (sign === "-" ? -60 : 60) * (Number(hours) * 60 + Number(minutes));
  if (!(local >= 0 && local <= lastDate)) return "an unknown date";
  return `${new Date(local * 1000).toISOString().slice(0, 19)}${zone.slice(0, 3)}:${zone.slice(3)}`;
}

/** Who, when and what, from a commit as git stores it. */
function originOf({ id, content }: StoredObject): ChangeOrigin {
  const text = content.toString("utf8");
  const end = text.indexOf("\n\n");
  const [, author = "", seconds = "0", zone = "+0000"] =
    /^author (.*?) <[^\n]*?> (\d+) ([+-]\d{4})$/m.exec(text.slice(0, end)) ?? [];
  const subject = text.slice(end + 2).split("\n", 1)[0] ?? "";
  const clean = (words: string): string =>
    words
      .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
      .slice(0, 200)
      .toWellFormed();
  return {
    commit: id,
    author: clean(author),
    date: dateOf(Number(seconds), zone),
    subject: clean(subject),
    writer: writerOf(text.slice(end)),
    cluster: onlyTrailer(text.slice(end), "Cluster"),
    reverts: takenBack(text.slice(end + 2)),
  };
}

import type { StoredObject } from "./objects.ts";
import type { Scratch } from "./scratch.ts";
import type { ObjectId } from "../words/types.ts";

/** One commit of a branch, as far as its place in the history goes. */
export interface Commit {
  readonly id: ObjectId;
  /** As the commit itself names them, whether they were read or not. */
  readonly parents: readonly ObjectId[];
  /** When it was committed, in seconds since 1970. */
  readonly time: number;
}

/** The commits that a branch is built on, what was merged into it among them; `depth` commits deep at most. */
export async function readCommits(scratch: Scratch, branch: string, depth: number): Promise<Commit[]> {
  return (await scratch.log(branch, depth, "all")).map(parseCommit);
}

function parseCommit({ id, content }: StoredObject): Commit {
  const [head = ""] = content.toString("latin1").split("\n\n", 1);
  const time = /^committer .*> (\d+) [+-]\d{4}$/m.exec(head)?.[1];
  return {
    id,
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = ""]) => parent),
    time: Number(time ?? 0),
  };
}

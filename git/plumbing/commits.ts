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

/** One commit with what it says. */
export interface ToldCommit extends Commit {
  readonly tree: ObjectId;
  readonly author: string;
  readonly email: string;
  readonly subject: string;
  /** Subject, body and trailers. */
  readonly message: string;
}

/** A commit as git stores it, with what it says; control characters of people's words become spaces. */
export function tellCommit(stored: StoredObject): ToldCommit {
  const text = stored.content.toString("utf8");
  const end = text.indexOf("\n\n");
  const head = end < 0 ? text : text.slice(0, end);
  const message = end < 0 ? "" : text.slice(end + 2);
  const plain = (words = ""): string =>
    words
      .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
      .trim()
      .slice(0, 200);
  const [, author, email] = /^author (.*?) <([^\n]*?)> \d+ [+-]\d{4}$/m.exec(head) ?? [];
  return {
    ...parseCommit(stored),
    tree: /^tree ([0-9a-f]+)$/m.exec(head)?.[1] ?? "",
    author: plain(author),
    email: plain(email),
    subject: plain(message.split("\n", 1)[0]),
    message,
  };
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

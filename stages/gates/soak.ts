import type { Stage } from "../../fleet/model.ts";
import type { BranchLine, ToldCommit } from "../../git/index.ts";
import { type Gate, passes, stops } from "../gate.ts";

/** A commit must have been on the branch before for a time: from when its tree last came there, by whatever way. */
export function soakGate(
  { soak }: Pick<Stage, "soak">,
  name: string,
  { line }: BranchLine,
  { tree }: ToldCommit,
  now: Date,
): Gate {
  if (soak === 0) return passes("soak", "none is asked for");
  const came = lastCame(line, tree) ?? now.getTime() / 1000;
  const end = came + soak;
  const since = `${name} has had it since ${minute(came)}`;
  return end * 1000 <= now.getTime()
    ? passes("soak", since)
    : stops("soak", `${since}, and it has to stay there until ${minute(end)}. Promote it then`);
}

/** When a branch got a tree, newest first; what was taken back in between has to prove itself anew. */
function lastCame(line: BranchLine["line"], tree: string): number | undefined {
  const newest = line.findIndex((commit) => commit.tree === tree);
  if (newest < 0) return undefined;
  const earlier = line.slice(newest).findIndex((commit) => commit.tree !== tree);
  return (earlier < 0 ? line.at(-1) : line[newest + earlier - 1])?.time;
}

/** `2026-11-03 10:00 UTC`. */
export function minute(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

import type { Stage } from "../../fleet/model.ts";
import type { BranchLine, ToldCommit } from "../../git/index.ts";
import { type Gate, passes, stops } from "../gate.ts";

/** A commit must have been on the branch before for a time: from when that branch first had its tree, by whatever way. */
export function soakGate(
  { soak }: Pick<Stage, "soak">,
  name: string,
  { line }: BranchLine,
  { tree }: ToldCommit,
  now: Date,
): Gate {
  if (soak === 0) return passes("soak", "none is asked for");
  const first = line.findLast((commit) => commit.tree === tree)?.time ?? now.getTime() / 1000;
  const end = first + soak;
  const since = `${name} has had it since ${minute(first)}`;
  return end * 1000 <= now.getTime()
    ? passes("soak", since)
    : stops("soak", `${since}, and it has to stay there until ${minute(end)}. Promote it then`);
}

/** `2026-11-03 10:00 UTC`. */
export function minute(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

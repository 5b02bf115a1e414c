import type { ToldCommit } from "../git/index.ts";

/** A commit and all that it is built on, as far as the history was read. */
export function commitsBelow(id: string, all: ReadonlyMap<string, ToldCommit>): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(all.get(next)?.parents ?? []));
  }
  return seen;
}

import type { Fleet } from "./model.ts";

/** What an entry of `removed` names: a set of every cluster, or of one. */
export interface Removal {
  readonly set: string;
  readonly cluster?: string;
}

/** Reads an entry of `removed`, such as `pos` or `edge-0/pos`; neither name can have a slash. */
export function removalOf(entry: string): Removal {
  const slash = entry.indexOf("/");
  return slash < 0 ? { set: entry } : { cluster: entry.slice(0, slash), set: entry.slice(slash + 1) };
}

/** The indexes of the entries of `removed` that name a set of a cluster. */
export function removalsOf({ removed }: Pick<Fleet, "removed">, cluster: string, set: string): number[] {
  return removed.flatMap((entry, index) => (entry === set || entry === `${cluster}/${set}` ? [index] : []));
}

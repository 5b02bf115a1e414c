import { folder as normalFolder } from "../values/repositoryPath.ts";
import type { RemovalEntry } from "./schema/removal.ts";

/** What an entry of `removed` confirms the deletion of; without `cluster` in every cluster. */
export type Removal =
  | { readonly kind: "set"; readonly name: string; readonly cluster?: string; readonly from?: string }
  | { readonly kind: "tenant"; readonly name: string; readonly cluster?: string; readonly from?: string }
  | { readonly kind: "app" | "window" | "secret"; readonly name: string; readonly cluster?: string }
  | { readonly kind: "cluster" | "folder"; readonly name: string; readonly cluster?: undefined };

/** Reads an entry: `pos` and `edge-0/pos`, whose names can have no slash, or a map that says what it is about. */
export function removalOf(entry: RemovalEntry): Removal {
  if (typeof entry === "string") {
    const slash = entry.indexOf("/");
    return slash < 0
      ? { kind: "set", name: entry }
      : { kind: "set", name: entry.slice(slash + 1), cluster: entry.slice(0, slash) };
  }
  const { set, from, tenant, app, window, secret, folder, cluster } = entry;
  const only = cluster === undefined ? {} : { cluster };
  const part = from === undefined ? {} : { from };
  if (set !== undefined) return { kind: "set", name: set, ...only, ...part };
  if (tenant !== undefined) return { kind: "tenant", name: tenant, ...only, ...part };
  if (app !== undefined) return { kind: "app", name: app, ...only };
  if (window !== undefined) return { kind: "window", name: window, ...only };
  if (secret !== undefined) return { kind: "secret", name: secret, ...only };
  return folder !== undefined
    ? { kind: "folder", name: normalFolder(folder) }
    : { kind: "cluster", name: cluster ?? "" };
}

/** An entry as it is written into the fleet file, in its shortest form. */
export function writeRemoval(removal: Removal): string {
  const { kind, name } = removal;
  if (kind === "cluster" || kind === "folder") return `{ ${kind}: ${name} }`;
  const cluster = removal.cluster === undefined ? "" : `, cluster: ${removal.cluster}`;
  const from = "from" in removal && removal.from !== undefined ? `, from: ${quotedFlow(removal.from)}` : "";
  if (kind !== "set" || from !== "") return `{ ${kind}: ${name}${from}${cluster} }`;
  return removal.cluster === undefined ? name : `${removal.cluster}/${name}`;
}

/** The indexes of the entries that confirm that something of a cluster goes. */
export function removalsOf(
  removed: readonly Removal[],
  going: { readonly kind: Removal["kind"]; readonly name: string; readonly from?: string },
  cluster: string,
): number[] {
  return removed.flatMap((entry, index) => {
    if (entry.kind !== going.kind || entry.name !== going.name) return [];
    if (entry.cluster !== undefined && entry.cluster !== cluster) return [];
    return ("from" in entry ? entry.from : undefined) === going.from ? [index] : [];
  });
}

/** Text inside a flow map: a URL has a colon, and a comma would end the value. */
function quotedFlow(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : JSON.stringify(text);
}

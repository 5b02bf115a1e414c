import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Cluster, Fleet } from "../fleet/model.ts";

/**
 * A fleet with what is in its files of authorities in place of where they lie, for comparisons: a checkout has them at
 * another place, and what is in them reaches clusters. A file that cannot be read stays a path, and so is not the same.
 */
export function withAuthorities(fleet: Fleet): Fleet {
  const known = new Map<string, string>();
  const contentOf = (path: string): string => {
    const content = known.get(path) ?? digest(path);
    known.set(path, content);
    return content;
  };
  const named = <T extends { readonly caFile?: string | undefined }>(owner: T): T =>
    owner.caFile === undefined ? owner : { ...owner, caFile: contentOf(owner.caFile) };
  const withProxy = (cluster: Cluster): Cluster => {
    const { connection } = cluster.arc;
    if (connection.proxy?.caFile === undefined) return cluster;
    return {
      ...cluster,
      arc: { ...cluster.arc, connection: { ...connection, proxy: named(connection.proxy) } },
    };
  };
  return { ...fleet, repository: named(fleet.repository), clusters: fleet.clusters.map(withProxy) };
}

function digest(path: string): string {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return path;
  }
}

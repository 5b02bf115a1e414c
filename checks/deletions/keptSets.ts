import type { Cluster } from "../../fleet/model.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { GoingSet } from "./goingSets.ts";

/**
 * Whether a cluster has applied a commit of the branch that it follows, or one built on it: as Azure or the cluster says.
 * Git alone is never proof, since a device that was off skips the commits between.
 */
export type Applied = (cluster: Cluster, commit: string) => Promise<"yes" | "no" | "unknown">;

/** For whoever can ask neither Azure nor a cluster. */
export const nobodyAsked: Applied = () => Promise.resolve("unknown");

/** A set that leaves what it applied, and that stays in Git since the cluster may not know that yet. */
export interface KeptSet {
  readonly cluster: Cluster;
  readonly set: GoingSet;
  /** `no`: the cluster was asked. */
  readonly answer: "no" | "unknown";
  /** Files that stay: its own, and that of a source that nothing else takes. From the root, to content. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Of sets that leave what they applied (deletionPolicy: Orphan, and the like), those whose cluster has not been seen to
 * run the commit that says so: one that sees it together with the removal deletes everything.
 */
export async function keptSets(
  cluster: Cluster,
  going: readonly GoingSet[],
  reader: RepositoryReader,
  ours: ReadonlySet<string>,
  { applied, tip }: { readonly applied: Applied; readonly tip: string | undefined },
): Promise<KeptSet[]> {
  const kept = await Promise.all(
    going
      .filter(({ end }) => end === "leaves")
      .map(async (set): Promise<KeptSet[]> => {
        // Past the end of the history that is looked at, only the tip is known to say it.
        const commit = set.since ?? tip;
        const answer = commit === undefined ? "unknown" : await applied(cluster, commit);
        if (answer === "yes") return [];
        const source = await sourceFile(set, reader, ours);
        return [{ cluster, set, answer, files: { [set.file]: set.text, ...source } }];
      }),
  );
  return kept.flat();
}

async function sourceFile(
  { source, file }: GoingSet,
  reader: RepositoryReader,
  ours: ReadonlySet<string>,
): Promise<Readonly<Record<string, string>>> {
  if (source === undefined) return {};
  // It lies beside the set, be it in the flux folder or in a window's.
  const path = `${file.slice(0, file.lastIndexOf("/") + 1)}source-${source}.yaml`;
  const text = ours.has(path) ? undefined : await reader.read(path);
  return text === undefined ? {} : { [path]: text };
}

import { normalFolder } from "../../build/index.ts";
import type { Cluster } from "../../fleet/model.ts";
import type { ClusterSubject, Subject } from "../../judge/index.ts";
import { folderOf } from "../../values/path.ts";
import { showSome } from "../../values/show.ts";
import type { Fault } from "../fault.ts";

/**
 * Errors for sets that apply generated files of another cluster, by their folder or by a list: that cluster's sets would run
 * here too. `declared`: all clusters of the fleet file, of which `rendered` may have a part.
 */
export function reached(
  clusters: readonly ClusterSubject[],
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  declared: readonly Cluster[],
): Fault[] {
  const byFolder = new Map(declared.map(({ fluxFolder, name }) => [fluxFolder, name]));
  const owners = new Map<string, string>();
  for (const [{ name, fluxFolder }, files] of rendered) {
    byFolder.delete(fluxFolder);
    for (const file of files.keys()) owners.set(file, name);
  }
  const known = new Map<string, ReadonlySet<string>>();
  /** Looked up once for all clusters that build the same. */
  const ownersIn = ({ content, files }: Subject): ReadonlySet<string> => {
    const names =
      known.get(content) ??
      new Set(
        files
          .map((file) => owners.get(file) ?? byFolder.get(folderOf(file)))
          .filter((name) => name !== undefined),
      );
    known.set(content, names);
    return names;
  };
  const found = new Map<string, Fault>();
  for (const { cluster, subjects } of clusters)
    for (const subject of subjects) {
      if (subject.isBootstrap || found.has(subject.content)) continue;
      const others = [...ownersIn(subject)].filter((name) => name !== cluster.name);
      if (others.length === 0) continue;
      const { name, spec } = subject.set;
      found.set(subject.content, {
        severity: "error",
        path: ["clusters", cluster.name, "sets", name],
        message:
          `applies ${normalFolder(spec.path) || "the root"}, and with it the generated files of ${showSome(others)}: ` +
          `${cluster.name} would run those sets too. Give the set a folder of its own, or list what it takes in a ` +
          "kustomization.yaml there.",
      });
    }
  return [...found.values()];
}

import type { Finding, Path } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import type { Violation } from "./previewEvents.ts";

/** Makes a finding at a path of the fleet. */
type Place = (severity: Finding["severity"], path: Path, message: string) => Finding;

/**
 * What policies found, at the lines of the fleet file that it comes from: of the set whose generated file is named, else of
 * the cluster whose resource it is, else of the file.
 */
export function violationFindings(
  violations: readonly Violation[],
  fleet: Pick<Fleet, "clusters">,
  place: Place,
): Finding[] {
  const byName = new Map(fleet.clusters.map((cluster) => [cluster.name, cluster]));
  return violations.map(({ urn, policy, mandatory, message }) => {
    const cluster = clusterOf(urn.split("::").at(-1) ?? "", byName);
    const set = cluster?.sets.find(({ name }) => message.includes(`/${name}.yaml'`));
    const path = cluster === undefined ? [] : ["clusters", cluster.name, ...(set ? ["sets", set.name] : [])];
    const { file, line, column } = place("error", path, message);
    const severity = mandatory ? "error" : "warning";
    // Of a policy, so that the way past is known: its level and its settings.
    return { severity, file, line, column, path: path.join("."), message, judgement: `policy ${policy}` };
  });
}

/** Resources are named after their cluster, alone or with a suffix; a name may be the beginning of another. */
function clusterOf<T>(resource: string, clusters: ReadonlyMap<string, T>): T | undefined {
  for (let name = resource; name !== ""; name = name.slice(0, Math.max(name.lastIndexOf("-"), 0))) {
    const found = clusters.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

import { stringify } from "yaml";
import { describeNotTaken, type NotTaken } from "./notTaken.ts";

/**
 * The text of a fleet file that a person goes on with: blocks for texts of several lines, quotes only where they are
 * needed. Generated files, which nobody edits, have a writer of their own in yaml.ts.
 */
export function fleetText(fleet: object, cluster: string, notTaken: readonly NotTaken[]): string {
  const intro = [
    `Imported from the folder of cluster ${cluster}. What it says of the cluster means the same as before.`,
    "The old files still apply these sets, and deleting one deletes what its set applied. Leave them until the new bootstrap",
    "owns the sets: first give the old Kustomization that applies the files `prune: false`, and let the cluster take that.",
    "With Azure Arc, write arc: { resourceGroup: …, location: … } and take platform: kubernetes out.",
    ...(notTaken.length > 0 ? ["", "Not taken, or taken in another way:"] : []),
    ...notTaken.map((entry) => `- ${describeNotTaken(entry)}`),
  ];
  const comment = intro.map((line) => (line === "" ? "#\n" : `# ${line}\n`)).join("");
  // compat keeps words like yes and on in quotes, which other tools read as booleans.
  const body = stringify(fleet, {
    version: "1.2",
    compat: "yaml-1.1",
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
  return `${comment}${body}`;
}

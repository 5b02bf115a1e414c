import { stringify } from "yaml";
import { newFolder } from "./newFolder.ts";
import { lineOf, type Note } from "./notes.ts";

/**
 * The text of a fleet file that a person goes on with: blocks for texts of several lines, quotes only where they are
 * needed. Generated files, which nobody edits, have a writer of their own in yaml.ts.
 */
export function fleetText(
  fleet: object,
  summary: string,
  notes: readonly Note[],
  folder = newFolder,
): string {
  const intro = [
    `Imported: ${summary}`,
    ...("arc" in fleet ? inAzure : inFiles).map((line) => line.replace("FOLDER/", `${folder}/`)),
    ...(notes.length > 0 ? ["", "Not taken, or taken in another way:"] : []),
    ...notes.map((note) => `- ${lineOf(note)}`),
  ];
  return `${intro.map((line) => (line === "" ? "#\n" : `# ${line}\n`)).join("")}${fleetBody(fleet)}`;
}

const inFiles = [
  "Nothing that runs changes by this file. Generated files lie below FOLDER/, which nothing applies yet; the old files go on",
  "until the new bootstrap owns the sets. Deleting an old file, or what applies it, deletes what its sets applied: give the",
  "old Kustomization that applies them `prune: false` first, and let the cluster take that. docs/guide/import.md has the way.",
  "With Azure Arc, write arc: { resourceGroup: …, location: … } and agents: present, and take platform: kubernetes out.",
];

const inAzure = [
  "Nothing that runs changes by this file. Generated files lie below FOLDER/, which nothing applies yet; the Flux configurations",
  "in Azure go on until the new bootstrap owns the sets. Deleting one deletes what its Kustomizations applied while they prune:",
  "switch prune off in them first, and let the clusters take that. docs/guide/import.md has the way.",
];

/** The fleet file without the words at its head. */
export function fleetBody(fleet: object): string {
  // compat keeps words like yes and on in quotes, which other tools read as booleans.
  return stringify(fleet, {
    version: "1.2",
    compat: "yaml-1.1",
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

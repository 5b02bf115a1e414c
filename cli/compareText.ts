import type { ClusterChanges } from "../checks/applied/index.ts";
import type { ValueDifference } from "../fleet/compareClusters.ts";
import type { Row } from "../fleet/explain.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { compareMeaning } from "../flux/compareMeaning.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { printable, show, showNames } from "../values/show.ts";
import { objectLines } from "./diffFormats.ts";

/** A file below the folders of two clusters: only the first has it, only the second, or both, and not alike. */
export interface FileDifference {
  readonly path: string;
  readonly what: "first" | "second" | "both";
  /** Fields, each as `spec.interval: 10m -> 5m`. */
  readonly fields?: readonly string[];
}

/** What differs between two clusters; what was not looked at is absent. */
export interface Comparing {
  readonly from: string;
  readonly to: string;
  readonly values: readonly ValueDifference[];
  readonly generated: readonly FileDifference[];
  readonly objects?: readonly ClusterChanges[];
  readonly own?: readonly FileDifference[];
}

/** Generated files that differ by what they mean, by path below the folder of each; its name and folder count for nothing. */
export function generatedDifferences(from: Cluster, to: Cluster, fleet: Fleet): FileDifference[] {
  const [left, right] = [from, to].map((cluster) => renderClusterFolder(cluster, fleet));
  const paths = [...new Set([...Object.keys(left!), ...Object.keys(right!)])].sort();
  return paths.flatMap((path): FileDifference[] => {
    const [one, other] = [left![path], right![path]];
    if (other === undefined) return [{ path, what: "first" }];
    if (one === undefined) return [{ path, what: "second" }];
    const { same, differences } = compareMeaning(path, anyCluster(one, from), anyCluster(other, to));
    return same ? [] : [{ path, what: "both", fields: differences }];
  });
}

function anyCluster(text: string, { name, folder }: Cluster): string {
  const named = text.replaceAll(`arcflux_cluster: ${JSON.stringify(name)}`, 'arcflux_cluster: "{cluster}"');
  return folder === ""
    ? named
    : named.replace(/(["' ])\.\/(\S+?)(?=["'\n])/g, (found, before: string, path: string) =>
        path.startsWith(`${folder}/`) ? `${before}./{folder}${path.slice(folder.length)}` : found,
      );
}

/** Lines for a terminal, from what is said down to what comes of it. */
export function compareText({ from, to, values, generated, objects, own }: Comparing): string {
  const only = { first: `only ${from}`, second: `only ${to}`, both: "differs" };
  const files = (list: readonly FileDifference[]): string[] =>
    [...Map.groupBy(list, ({ what, fields }) => JSON.stringify([what, fields])).values()].flatMap((alike) => [
      `  ${showNames(alike.map(({ path }) => path))}: ${only[alike[0]!.what]}`,
      ...(alike[0]!.fields ?? []).map((field) => `      ${field}`),
    ]);
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ["In the fleet file:", values.map((value) => `  ${valueText(value, from, to)}`)],
    ["In the generated files:", files(generated)],
    ["On the clusters:", (objects ?? []).flatMap(objectLines)],
    ["In files of others:", files(own ?? [])],
  ];
  const told = parts.flatMap(([head, lines]) => (lines.length === 0 ? [] : [head, ...lines]));
  if (told.length === 0) return `${from} and ${to} are alike.\n`;
  return `${[`${from} -> ${to}`, ...told].map(printable).join("\n")}\n`;
}

function valueText({ path, from: one, to: other }: ValueDifference, from: string, to: string): string {
  const isSet = (row: Row | undefined): boolean => row === undefined || row.value === "taken";
  if (isSet(one) && isSet(other)) return `${path}: only ${one === undefined ? to : from}`;
  return `${path}: ${side(one)} -> ${side(other)}`;
}

function side(row: Row | undefined): string {
  if (row === undefined) return "(none)";
  return `${show(row.value)}${row.file === undefined ? "" : ` (${row.file}:${row.line})`}`;
}

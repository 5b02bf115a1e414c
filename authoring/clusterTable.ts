import { rules } from "../fleet/rules.ts";
import { didYouMean, nearest } from "../values/nearest.ts";
import { show } from "../values/show.ts";
import type { Table } from "./csv.ts";

/** A cluster as it is to be written into the fleet file. */
export interface Addition {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** What a table brings: what is new, what is there already in the same words, and everything that is wrong. */
export interface ClusterPlan {
  readonly additions: readonly Addition[];
  readonly there: readonly string[];
  /** Each with its line of the table. */
  readonly faults: readonly { readonly line: number; readonly message: string }[];
}

/** Columns, each with where its value goes in the entry of the cluster. */
const columns: Readonly<Record<string, readonly string[]>> = {
  stage: ["stage"],
  agents: ["agents"],
  context: ["kubeconfig", "context"],
  resourceGroup: ["arc", "resourceGroup"],
  location: ["arc", "location"],
  azureName: ["arc", "name"],
};
const prefixes = ["labels", "attributes", "variables"];
const known = ["name", ...Object.keys(columns), "sets", ...prefixes.map((prefix) => `${prefix}.KEY`)];

/**
 * Reads clusters from a table: `name`, and as it needs `stage`, `agents`, `context`, `resourceGroup`, `location`,
 * `azureName`, `sets` (names with spaces between), `labels.KEY`, `attributes.KEY`, `variables.KEY`. An empty cell says
 * nothing. Run again it finds what is there, so that a table may grow.
 */
export function planClusters(
  { columns: names, rows, faults: unread }: Table,
  declared: Readonly<Record<string, unknown>>,
): ClusterPlan {
  const faults: { line: number; message: string }[] = [...unread];
  for (const name of new Set(names)) {
    if (names.indexOf(name) !== names.lastIndexOf(name))
      faults.push({ line: 1, message: `The column ${show(name)} is there twice. Take one out.` });
    if (placeOf(name) !== undefined) continue;
    faults.push({
      line: 1,
      message: `${show(name)} is not a column. Write some of ${known.join(", ")}.${didYouMean(nearest(name, known))}`,
    });
  }
  if (!names.includes("name")) faults.push({ line: 1, message: "There is no column name. Add it." });
  if (faults.length > 0) return { additions: [], there: [], faults };

  const additions: Addition[] = [];
  const there: string[] = [];
  const lines = new Map<string, number>();
  for (const { line, cells } of rows) {
    const refuse = (message: string): void => void faults.push({ line, message });
    if (cells.length > names.length) refuse(`has ${cells.length} cells for ${names.length} columns.`);
    const { name = "", ...entry } = entryOf(names, cells);
    const before = typeof name === "string" ? lines.get(name) : undefined;
    if (typeof name !== "string" || !rules.clusterName.pattern.test(name))
      refuse(`${show(name)} is not the name of a cluster; ${rules.clusterName.allowed}.`);
    else if (before !== undefined) refuse(`${name} stands in line ${before} already.`);
    else if (!Object.hasOwn(declared, name)) additions.push({ name, entry });
    else if (holds(declared[name], entry)) there.push(name);
    else refuse(`${name} is in the fleet file with other values. Change it there, or take the line out.`);
    if (typeof name === "string" && before === undefined) lines.set(name, line);
  }
  return { additions, there, faults };
}

function placeOf(column: string): readonly string[] | undefined {
  if (column === "name" || column === "sets") return [column];
  if (Object.hasOwn(columns, column)) return columns[column];
  const [prefix = "", ...rest] = column.split(".");
  return prefixes.includes(prefix) && rest.join("") !== "" ? [prefix, rest.join(".")] : undefined;
}

function entryOf(names: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const entry: Record<string, unknown> = {};
  for (const [index, column] of names.entries()) {
    const cell = cells[index] ?? "";
    const [first, second] = placeOf(column) ?? [];
    if (cell === "" || first === undefined) continue;
    if (column === "sets") entry["sets"] = Object.fromEntries(cell.split(/\s+/).map((set) => [set, {}]));
    else if (second === undefined) entry[first] = cell;
    else entry[first] = { ...(entry[first] as object | undefined), [second]: cell };
  }
  return entry;
}

/** Whether what is declared says all of it; what it says beside that is its own. */
function holds(declared: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return String(declared) === String(wanted);
  if (typeof declared !== "object" || declared === null) return false;
  return Object.entries(wanted).every(
    ([key, value]) =>
      Object.hasOwn(declared, key) && holds((declared as Record<string, unknown>)[key], value),
  );
}

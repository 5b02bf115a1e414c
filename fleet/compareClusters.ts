import { isDeepStrictEqual } from "node:util";
import { formatPath } from "./finding.ts";
import { explainCluster, type Row } from "./explain.ts";
import type { Loaded } from "./load.ts";
import type { Cluster, Plain } from "./model.ts";
import { ownPrefix } from "./ownVariables.ts";

/** A value that two clusters do not have alike; of one that does not have it the side is absent. */
export interface ValueDifference {
  /** From the cluster down, such as `sets.pos.interval`; `sets.pos` where only one takes the set. */
  readonly path: string;
  readonly from?: Row;
  readonly to?: Row;
}

/** What every two clusters have differently, so that it is no news. */
const byNature = new Set(["folder", "fluxFolder", "setsFolder"]);

/**
 * What the fleet file says differently of two clusters, each with where it stands. A value is told where it is said: a
 * variable of the cluster once, and not for each of its sets; a set that only one takes by its name. That each has a folder
 * and a name of its own counts for nothing.
 */
export function compareClusters(loaded: Loaded, from: Cluster, to: Cluster): ValueDifference[] {
  const [left, right] = [rowsOf(loaded, from), rowsOf(loaded, to)];
  const taken = [from, to].flatMap(({ sets }) => sets.map(({ name }) => formatPath(["sets", name])));
  const lone = taken.filter((set) => left.has(set) !== right.has(set));
  const paths = [...new Set([...left.keys(), ...right.keys()])];
  return paths.flatMap((path): ValueDifference[] => {
    if (lone.some((set) => path.startsWith(`${set}.`))) return [];
    const [one, other] = [left.get(path), right.get(path)];
    if (isDeepStrictEqual(anyFolder(one, from), anyFolder(other, to))) return [];
    return leaves({ path, ...(one && { from: one }), ...(other && { to: other }) }).filter(
      (leaf) => !isDeepStrictEqual(anyFolder(leaf.from, from), anyFolder(leaf.to, to)),
    );
  });
}

/** Of a map or a list that both have, or only one, each smallest value: `kubeconfig.context`, and not `kubeconfig`. */
function leaves(difference: ValueDifference): ValueDifference[] {
  const { path, from, to } = difference;
  const [left, right] = [partsOf(from), partsOf(to)];
  if (left === undefined || right === undefined) return [difference];
  const parts = [...new Set([...left.keys(), ...right.keys()])];
  if (parts.length === 0) return [difference];
  const inside = (row: Row | undefined, value: Plain | undefined) =>
    row === undefined || value === undefined ? undefined : { ...row, path, value };
  return parts.flatMap((part) => {
    const [one, other] = [inside(from, left.get(part)), inside(to, right.get(part))];
    return leaves({ path: `${path}${part}`, ...(one && { from: one }), ...(other && { to: other }) });
  });
}

/** By what follows the path: `.context`, `[0]`. Undefined for a value that has no parts. */
function partsOf(row: Row | undefined): ReadonlyMap<string, Plain | undefined> | undefined {
  if (row === undefined) return new Map();
  const { value } = row;
  if (Array.isArray(value)) return new Map(value.map((part: Plain, at) => [suffix(at), part]));
  if (typeof value !== "object" || value === null) return undefined;
  return new Map(Object.entries(value).map(([key, part]) => [suffix(key), part]));
}

const suffix = (part: string | number): string => formatPath(["_", part]).slice(1);

function rowsOf(loaded: Loaded, { name, sets }: Cluster): Map<string, Row> {
  const rows = explainCluster(loaded, name) ?? [];
  const known = new Map(rows.map((row) => [row.path, row]));
  const taken = sets.map((set): Row => {
    const path = formatPath(["sets", set.name]);
    return { path, value: "taken", layer: known.get(`${path}.path`)?.layer ?? "" };
  });
  const stated = rows.filter(({ path, value }) => !byNature.has(path) && !isNothing(path, value));
  return new Map(
    [...taken, ...stated.filter((row) => !isInherited(row, known))].map((row) => [row.path, row]),
  );
}

/** A set that is opted out is one that the cluster does not take, and one that goes on is as all are on another cluster. */
function isNothing(path: string, value: unknown): boolean {
  return path.startsWith("sets.") && (value === null || (value === false && path.endsWith(".idle")));
}

/** Whether a set only has what its cluster says of all of them, or what Arcflux adds. */
function isInherited({ path, file, line, column }: Row, known: ReadonlyMap<string, Row>): boolean {
  const [, variable] = /^sets\..+\.postBuild\.substitute\.([^.]+)$/.exec(path) ?? [];
  if (variable?.startsWith(ownPrefix)) return true;
  const said = known.get(/^sets\..+\.idle$/.test(path) ? "idle" : `variables.${variable ?? ""}`);
  return said !== undefined && said.file === file && said.line === line && said.column === column;
}

function anyFolder(row: Row | undefined, { folder }: Cluster): unknown {
  if (row === undefined || folder === "") return row?.value;
  return JSON.parse(JSON.stringify(row.value).replaceAll(`"./${folder}/`, '"./{folder}/')) as unknown;
}

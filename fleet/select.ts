import { matchable, matches } from "./layers.ts";
import type { Cluster, Fleet } from "./model.ts";
import { didYouMean, Speller } from "../values/nearest.ts";
import { show, showNames } from "../values/show.ts";

type Labels = Readonly<Record<string, string>>;

/** A part of a fleet. With several, a cluster fits all of them; with none, it is the whole fleet. */
export interface Selection {
  readonly names?: readonly string[];
  /** Labels that a cluster has, each with this value; `stage` is its stage. */
  readonly labels?: Labels;
  /** What is left out: clusters by name, and those that have a label at all, by its key. */
  readonly without?: readonly string[];
  /** What is left out as well: clusters that have one of these labels. */
  readonly withoutLabels?: readonly (readonly [key: string, value: string])[];
}

/** A selection that names what is not there. */
export class SelectionError extends Error {
  override readonly name = "SelectionError";
}

/** The selected clusters, in the order of the fleet file. Throws a SelectionError that lists every unknown name. */
export function selectClusters(
  fleet: Pick<Fleet, "clusters"> & Partial<Pick<Fleet, "withoutFlux">>,
  selection: Selection,
): readonly Cluster[] {
  const { names, labels = {}, without = [], withoutLabels = [] } = selection;
  const known = new Set(fleet.clusters.map(({ name }) => name));
  const keys = new Set(fleet.clusters.flatMap((cluster) => Object.keys(matchable(cluster))));
  const withoutFlux = new Set(fleet.withoutFlux?.map(({ name }) => name));
  refuseUnknown(names ?? [], known, { known, withoutFlux }, "");
  refuseUnknown(without, new Set([...known, ...keys]), { known, withoutFlux }, " and no label");
  const unclear = without.find((name) => known.has(name) && keys.has(name));
  if (unclear !== undefined)
    throw new SelectionError(
      `${show(`!${unclear}`)} is a cluster and a label; rename the cluster, or write !${unclear}=VALUE.`,
    );

  const wanted = names && new Set(names);
  const out = new Set(without);
  const selected = fleet.clusters.filter((cluster) => {
    const own = matchable(cluster);
    return (
      (wanted?.has(cluster.name) ?? true) &&
      matches(own, Object.entries(labels)) &&
      !out.has(cluster.name) &&
      !Object.keys(own).some((key) => out.has(key)) &&
      !withoutLabels.some((label) => matches(own, [label]))
    );
  });
  if (selected.length === 0 && Object.values(selection).some((part) => part !== undefined)) {
    throw new SelectionError(
      `No cluster is selected: ${describe(selection)} matches none of ${showNames(known) || "none"}. ` +
        "Correct the selection, or the labels in the fleet file.",
    );
  }
  return selected;
}

function refuseUnknown(
  names: readonly string[],
  allowed: ReadonlySet<string>,
  clusters: { readonly known: ReadonlySet<string>; readonly withoutFlux: ReadonlySet<string> },
  orElse: string,
): void {
  const unknown = [...new Set(names)].filter((name) => !allowed.has(name));
  if (unknown.length === 0) return;
  const speller = new Speller(allowed);
  const lines = unknown.map((name) =>
    clusters.withoutFlux.has(name)
      ? `${show(name)} has no Flux (platform: none): only arcflux apply takes it.`
      : `${show(name)} is not a cluster${orElse} of the fleet file.${didYouMean(speller.probable(name))}`,
  );
  throw new SelectionError([...lines, `Clusters there: ${showNames(clusters.known) || "none"}`].join("\n"));
}

function describe({ names, labels = {}, without = [], withoutLabels = [] }: Selection): string {
  const few = names?.length === 0 ? "an empty list of names" : `one of ${showNames(names ?? [])}`;
  return [
    ...(names === undefined ? [] : [few]),
    ...Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    ...without.map((name) => `!${name}`),
    ...withoutLabels.map(([key, value]) => `!${key}=${value}`),
  ].join(" and ");
}

import { formatPath, inOrder } from "../fleet/finding.ts";
import { loadFleet } from "../fleet/load.ts";
import type { Fleet } from "../fleet/model.ts";
import { appsSet } from "../fleet/resolveSets.ts";
import { validateSpec } from "../flux/crd/validate.ts";
import { asList, asMap, asText } from "../values/maps.ts";
import { fleetBody } from "./fleetText.ts";
import { flatValue, type PlainCluster, type PlainFleet } from "./plainFleet.ts";
import type { NotTaken } from "./notTaken.ts";
import { childrenOf } from "./takenApart.ts";

/** What a fleet file may say after `validate` has looked. */
export interface Validated {
  readonly plain: PlainFleet;
  /** Undefined where errors are left that no set causes; `rest` says them. */
  readonly fleet: Fleet | undefined;
  readonly rest: readonly string[];
}

/**
 * Leaves out every set that `validate` has an error for, and notes the error, until none is left: what import writes
 * validates. What is left out goes on beside the fleet file, so others wait for it as before.
 */
export function validated(
  whole: PlainFleet,
  fileOf: (cluster: string, set: string) => string,
  notTaken: NotTaken[],
): Validated {
  let plain = whole;
  for (;;) {
    // Every one: with what is alike said once, each load would leave out the set of one cluster.
    const options = { validateSpec, everyFinding: true };
    const { fleet, findings } = loadFleet(fleetBody(flatValue(plain)), "fleet.yaml", options);
    const errors = findings.filter(({ severity }) => severity === "error");
    const setAt = setsByPath(plain);
    const faulty = errors.flatMap(({ path, message }) => {
      const found = setAt(path);
      return found === undefined ? [] : [{ ...found, message }];
    });
    if (faulty.length === 0)
      return { plain, fleet, rest: inOrder(errors).map(({ path, message }) => `${path}: ${message}`) };
    const fallen = [...faulty, ...faulty.flatMap((each) => below(plain, each))];
    for (const { cluster, set, message } of fallen)
      notTaken.push({
        file: fileOf(cluster, set),
        path: `Kustomization ${set}`,
        reason: `is left out, since a fleet file cannot have it: ${message}`,
        matter: "object",
      });
    plain = without(plain, fallen);
  }
}

interface Faulty {
  readonly cluster: string;
  readonly set: string;
  readonly message: string;
}

/** The sets that one which is left out applies today, and what those apply: they stay with it. */
function below({ clusters }: PlainFleet, { cluster, set }: Faulty): Faulty[] {
  const children = childrenOf(clusters.get(cluster)!);
  const found = new Set<string>();
  for (const queue = [...(children.get(set) ?? [])]; queue.length > 0;) {
    const name = queue.pop()!;
    if (found.has(name)) continue;
    found.add(name);
    queue.push(...(children.get(name) ?? []));
  }
  const message = `${set}, which applies it, is left out`;
  return [...found].map((name) => ({ cluster, set: name, message }));
}

/** Finds the set that a path of a finding is at, or in. */
function setsByPath({
  clusters,
}: PlainFleet): (path: string) => { readonly cluster: string; readonly set: string } | undefined {
  const byPath = new Map(
    [...clusters].flatMap(([cluster, { sets }]) =>
      [...sets.keys()].map(
        (set) => [formatPath(["clusters", cluster, "sets", set]), { cluster, set }] as const,
      ),
    ),
  );
  return (path) => {
    const ends = [...path.matchAll(/[.[]|$/g)].map(({ index }) => path.slice(0, index));
    return ends.map((each) => byPath.get(each)).find((each) => each !== undefined);
  };
}

function without(
  { head, clusters }: PlainFleet,
  faulty: readonly { readonly cluster: string; readonly set: string }[],
): PlainFleet {
  const keyOf = (cluster: string, set: string): string => JSON.stringify([cluster, set]);
  const keys = new Set(faulty.map(({ cluster, set }) => keyOf(cluster, set)));
  const dropped = (name: string, set: string): boolean => keys.has(keyOf(name, set));
  const drop = (name: string, { head, sets, parents }: PlainCluster): PlainCluster => ({
    // Without their set, nothing would apply them as it does today.
    head: dropped(name, appsSet) ? { ...head, apps: undefined } : head,
    parents,
    sets: new Map(
      [...sets]
        .filter(([set]) => !dropped(name, set))
        .map(([set, fields]) => [set, waiting(fields, (other) => dropped(name, other))]),
    ),
  });
  return { head, clusters: new Map([...clusters].map(([name, cluster]) => [name, drop(name, cluster)])) };
}

/** The fields of a set, with those that it waits for marked as made elsewhere where they are. */
function waiting(
  fields: Readonly<Record<string, unknown>>,
  isElsewhere: (set: string) => boolean,
): Readonly<Record<string, unknown>> {
  const entries = asList(fields["dependsOn"]);
  if (entries.length === 0) return fields;
  return {
    ...fields,
    dependsOn: entries.map((entry) => {
      const whole = typeof entry === "string" ? { name: entry } : asMap(entry);
      return isElsewhere(asText(whole["name"]) ?? "") ? { ...whole, external: true } : entry;
    }),
  };
}

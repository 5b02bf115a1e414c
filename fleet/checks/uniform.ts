import { isDeepStrictEqual } from "node:util";
import { ownSpec } from "../idle.ts";
import { allHolders, own } from "../layers.ts";
import type { Cluster, ClusterSet, Plain, PlainMap } from "../model.ts";
import { eachSet, type Taken } from "./eachSet.ts";
import { type Check, type Checked, Shared } from "./report.ts";

/**
 * `uniform: true` of a set: in a stage in which a cluster takes it, each takes it, and takes the same of it. What is proved on
 * one cluster is proved for the stage then. Only variables, windows, suspensions, idleness and the Kustomization's own labels differ.
 */
export const checkUniform: Check = (checked) => {
  const { file, fleet, report } = checked;
  for (const { path, entry } of allHolders(file)) {
    for (const [name, fields] of Object.entries(entry.sets ?? {})) {
      if (fields?.uniform !== undefined)
        report(
          [...path, "sets", name, "uniform"],
          `stands where one layer takes the set; write it in sets.${name}, for all clusters`,
          "key",
        );
    }
  }
  const uniform = Object.keys(file.sets).filter((name) => file.sets[name]?.uniform === true);
  if (uniform.length === 0) return;
  const taken = new Map<string, Taken[]>(uniform.map((name) => [name, []]));
  eachSet(checked, (one) => {
    if (uniform.includes(one.set.name)) taken.get(one.set.name)?.push(one);
  });
  const errors = new Shared();
  const stages = Map.groupBy(
    fleet.clusters.filter(({ lifecycle }) => lifecycle === "active"),
    // A ring is ahead of the next one for a while, so each is one by itself.
    ({ stage, ring }) => (ring === undefined ? stage : `${stage}/${ring}`),
  );
  for (const name of uniform) {
    for (const [stage, clusters] of stages) {
      const inStage = new Set(clusters);
      const all = taken.get(name)!.filter(({ cluster }) => inStage.has(cluster));
      if (all.length === 0) continue;
      const takers = new Set(all.map(({ cluster }) => cluster));
      const where = stage === undefined ? "the fleet" : `stage ${stage}`;
      const way = `sets.${name} is uniform`;
      for (const { name: cluster } of clusters.filter((one) => !takers.has(one)))
        errors.add(
          ["clusters", cluster],
          `does not take ${name}, which others of ${where} do, and ${way}; take it, or drop uniform`,
          cluster,
          "key",
        );
      compare(checked, all, `${where} have it alike, and ${way}: only variables may differ`, errors);
    }
  }
  errors.report(checked.report);
};

/** Holds every taker against what most of them have. */
function compare(checked: Checked, all: readonly Taken[], rule: string, errors: Shared): void {
  const shapes = all.map((taker) => ({ taker, shape: shapeOf(taker.cluster, taker.set) }));
  const alike = [...Map.groupBy(shapes, ({ shape }) => JSON.stringify(shape)).values()];
  const most = alike.reduce((best, group) => (group.length > best.length ? group : best));
  const norm = most[0]!.shape;
  for (const { taker, shape } of alike.filter((group) => group !== most).flat()) {
    const fields = [...new Set([...Object.keys(norm), ...Object.keys(shape)])].filter(
      (field) => !isDeepStrictEqual(norm[field], shape[field]),
    );
    const [first = ""] = fields;
    const path = first === "pin" ? pinPath(checked, taker) : taker.at(first);
    errors.add(
      path,
      `differs in ${fields.join(", ")} of set ${taker.set.name}: ${most.length} other${most.length === 1 ? "" : "s"} of ${rule}; make it the same, or drop uniform`,
      taker.cluster.name,
    );
  }
}

/** What must not differ: all of the spec but its variables, and of the source what it fetches. */
function shapeOf({ sources }: Cluster, set: ClusterSet): PlainMap {
  const { dependsOn, sourceRef } = set;
  const { postBuild, ...rest } = ownSpec(set);
  const how = Object.entries((postBuild ?? {}) as PlainMap).filter(
    ([key]) => !/^substitute(From)?$/.test(key),
  );
  const source = sources.find(({ kind, name }) => kind === sourceRef.kind && name === sourceRef.name);
  const { ref, ...view } = source?.spec ?? {};
  return sortedByKey({
    ...rest,
    ...(how.length > 0 && { postBuild: Object.fromEntries(how) }),
    ...(dependsOn.length > 0 && { dependsOn: dependsOn as unknown as Plain }),
    ...{ source: sourceRef as unknown as Plain, sourceFields: view },
    ...(ref !== undefined && { pin: ref }),
  });
}

function sortedByKey(map: PlainMap): PlainMap {
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Where the pin of a cluster is said. */
function pinPath({ file }: Checked, { set, holders, cluster }: Taken): readonly (string | number)[] {
  const { name } = set.sourceRef;
  const holder = holders.findLast(({ entry }) => own(entry.pins ?? {}, name) !== undefined);
  if (holder !== undefined) return [...holder.path, "pins", name];
  return own(file.sources, name) === undefined ? ["clusters", cluster.name] : ["sources", name];
}

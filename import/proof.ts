import { isDeepStrictEqual } from "node:util";
import { type Fleet, fluxNamespace } from "../fleet/model.ts";
import { appsSet } from "../fleet/resolveSets.ts";
import { renderKustomization } from "../flux/kustomization.ts";
import { asList, asMap, asText, defined } from "../values/maps.ts";
import { isOfControllers } from "./metadata.ts";
import { meaningOf } from "./meaning.ts";
import { modernSpec } from "./oldFields.ts";
import { isOwnSource, type ReadCluster } from "./readCluster.ts";
import type { SourceName } from "./roots.ts";

/** What an import comes to: how many sets mean the same as before, and which do not, with the fields that differ. */
export interface Proof {
  readonly equal: number;
  readonly differ: readonly {
    readonly cluster: string;
    readonly set: string;
    readonly fields: readonly string[];
  }[];
}

/** What a proof says, as one line; each set that differs is named with its fields. */
export function proofLine({ equal, differ }: Proof): string {
  const sets = differ.map(({ cluster, set, fields }) => `${set} of ${cluster} in ${fields.join(", ")}`);
  const others = differ.length === 0 ? "" : `: ${sets.join("; ")}`;
  return `Rendered and compared by meaning: ${equal} equal, ${differ.length} ${differ.length === 1 ? "differs" : "differ"}${others}.`;
}

/** Renders every set of a fleet and compares it by meaning with the Kustomization that it was made from. */
export function proofOf(fleet: Fleet, clusters: readonly ReadCluster[]): Proof {
  const differ: { cluster: string; set: string; fields: string[] }[] = [];
  const byName = new Map(clusters.map((each) => [each.name, each]));
  let equal = 0;
  for (const cluster of fleet.clusters) {
    const read = byName.get(cluster.name)!;
    for (const set of cluster.sets) {
      const entry = read.sets.find(({ name }) => name === set.name)!;
      const before = partsOf(ofToday(read.from.get(entry)!.value), read.follows);
      const after = partsOf(renderKustomization(set), { kind: "GitRepository", name: cluster.config });
      // What the folder of apps builds to was compared before it became `apps`.
      const isProven = (key: string): boolean =>
        key === "spec.path" && set.name === appsSet && read.apps !== undefined;
      const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
        (key) => !isProven(key) && !isDeepStrictEqual(before[key], after[key]),
      );
      if (fields.length === 0) equal += 1;
      else differ.push({ cluster: cluster.name, set: set.name, fields: fields.sort() });
    }
  }
  return { equal, differ };
}

/** An object by the names of v1: a field that Flux no longer knows meant nothing any more. */
function ofToday(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...object, spec: modernSpec(asMap(object["spec"]), () => {}) };
}

/** Fields of the spec, labels and annotations, by their way, as they are meant. The fleet's own source has no name. */
function partsOf(
  object: Readonly<Record<string, unknown>>,
  own: SourceName,
): Readonly<Record<string, unknown>> {
  const { metadata, spec } = asMap(meaningOf(withNamespaces(object)));
  const { namespace, labels, annotations } = asMap(metadata);
  const { sourceRef, ...rest } = asMap(spec);
  const reference = asMap(sourceRef);
  const isOwn = isOwnSource(
    {
      kind: String(reference["kind"]),
      name: String(reference["name"]),
      namespace: asText(reference["namespace"]),
    },
    own,
  );
  return Object.fromEntries([
    ...Object.entries(rest).map(([key, value]) => [`spec.${key}`, value] as const),
    ["spec.sourceRef", isOwn ? "own" : reference],
    ["metadata.namespace", namespace],
    ["metadata.labels", ofPeople(labels)],
    ["metadata.annotations", ofPeople(annotations)],
  ]);
}

/** References with the namespace that Flux takes where they name none: that of the object. */
function withNamespaces(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const namespace = asText(asMap(object["metadata"])["namespace"]) ?? fluxNamespace;
  const spec = asMap(object["spec"]);
  const filled = (reference: unknown): unknown => ({ namespace, ...defined(asMap(reference)) });
  return {
    ...object,
    spec: {
      ...spec,
      sourceRef: filled(spec["sourceRef"]),
      ...(spec["dependsOn"] !== undefined && { dependsOn: asList(spec["dependsOn"]).map(filled) }),
    },
  };
}

function ofPeople(values: unknown): Readonly<Record<string, unknown>> | undefined {
  const entries = Object.entries(asMap(values)).filter(([key]) => !isOfControllers(key));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

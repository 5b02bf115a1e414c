import { isDeepStrictEqual } from "node:util";
import type { ClusterSet, Plain, PlainMap } from "./model.ts";

/** On an object of a manifest, with the value "false": it goes on where its set is idle. */
export const idleLabel = "arcflux.io/idle";

/** Objects that do not say themselves that they go on. */
const labelSelector = `${idleLabel}!=false`;

/** A patch that stops all objects of a kind. One whose target fits nothing does nothing. */
interface Stop {
  readonly target: { readonly group: string; readonly kind: string; readonly labelSelector: string };
  readonly patch: string;
}

const stops: readonly Stop[] = [
  stop("apps/v1", "Deployment", "replicas: 0"),
  stop("apps/v1", "StatefulSet", "replicas: 0"),
  stop("batch/v1", "CronJob", "suspend: true"),
];

/** The last patches of an idle set, so that they win. What helm makes of a chart is not in the set: there the release stops it. */
const idlePatches: readonly PlainMap[] = [
  ...stops.map(asPatch),
  asPatch(
    stop(
      "helm.toolkit.fluxcd.io/v2",
      "HelmRelease",
      `postRenderers: [{ kustomize: { patches: [${stops.map(inFlow).join(", ")}] } }]`,
    ),
  ),
];

/** Merges a field of the spec over every object of a kind; the name in the patch counts for nothing. */
function stop(apiVersion: string, kind: string, field: string): Stop {
  return {
    target: { group: apiVersion.slice(0, apiVersion.indexOf("/")), kind, labelSelector },
    patch: `{ apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: idle }, spec: { ${field} } }`,
  };
}

function asPatch({ target, patch }: Stop): PlainMap {
  return { target: { ...target }, patch };
}

/** As YAML in one line, without a double quote that the file around it would have to escape. */
function inFlow({ target: { group, kind, labelSelector }, patch }: Stop): string {
  return `{ target: { group: ${group}, kind: ${kind}, labelSelector: ${labelSelector} }, patch: '${patch}' }`;
}

/** The set with what runs in it stopped. */
export function idled(set: ClusterSet): ClusterSet {
  const own = (set.spec["patches"] ?? []) as readonly Plain[];
  return { ...set, idle: true, spec: { ...set.spec, patches: [...own, ...idlePatches] } };
}

/** Whether a Kustomization, by the patches of its spec, is an idle one. */
export function isIdled(patches: readonly unknown[]): boolean {
  return isDeepStrictEqual(patches.slice(-idlePatches.length), idlePatches);
}

/** The patches that the fleet file itself gives the set. */
export function ownPatches({ idle, spec }: Pick<ClusterSet, "idle" | "spec">): readonly Plain[] {
  const patches = (spec["patches"] ?? []) as readonly Plain[];
  return idle === true ? patches.slice(0, -idlePatches.length) : patches;
}

/** The spec of the set as it is without being idle. */
export function ownSpec(set: Pick<ClusterSet, "idle" | "spec">): ClusterSet["spec"] {
  const patches = ownPatches(set);
  return { ...set.spec, patches: patches.length > 0 ? patches : undefined };
}

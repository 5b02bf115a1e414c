import { idleLabel, ownPatches } from "../../fleet/idle.ts";
import { asMap } from "../../values/maps.ts";
import { showNames } from "../../values/show.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { describe, fluxMark, groups, isKind } from "../objects.ts";
import { type BuiltObject, objectsOf, type Subject } from "../subject.ts";

/** What goes on in a set that is said to be idle, and with it perhaps what must not run twice. */
export const notStopped: SetJudgement = {
  name: "not-stopped",
  severity: "warning",
  finds:
    "An idle set, or a Kustomization that others wrote on an idle cluster, applies what `idle` does not stop: a DaemonSet, a Job, " +
    "an autoscaler, an object that Flux leaves as it is. An error for a HelmRelease with `postRenderers` of its own, which `idle` would replace.",
  judge(subject): Remark[] {
    const objects = objectsOf(subject.build).filter((object) => !isExempt(object));
    if (subject.set.idle === true) return [...goingOn(objects), ...replaced(subject)];
    const running = isByHand(subject) ? objects.filter(runs).map(describe) : [];
    if (running.length === 0) return [];
    return [
      {
        message: `is a Kustomization of others on an idle cluster, so ${listed(running)} will go on; make it a set of the fleet file, or stop it there`,
      },
    ];
  },
};

/** By group, kinds that idle stops. */
const stoppable: Readonly<Record<string, readonly string[]>> = {
  apps: ["Deployment", "StatefulSet"],
  batch: ["CronJob"],
  [groups.helm]: ["HelmRelease"],
};

/** Kinds that run something, or scale it, whatever idle does. */
const others: Readonly<Record<string, readonly string[]>> = {
  "": ["Pod", "ReplicationController"],
  apps: ["DaemonSet", "ReplicaSet"],
  batch: ["Job"],
  autoscaling: ["HorizontalPodAutoscaler"],
  "keda.sh": ["ScaledObject", "ScaledJob"],
  // What it applies is judged for itself, as far as it can be seen.
  [groups.kustomize]: ["Kustomization"],
};

const isOf = (kinds: Readonly<Record<string, readonly string[]>>, { group, kind }: BuiltObject): boolean =>
  kinds[group]?.includes(kind) === true;

const runs = (object: BuiltObject): boolean => isOf(stoppable, object) || isOf(others, object);

/** It says itself that it may go on. */
function isExempt({ value }: BuiltObject): boolean {
  return asMap(asMap(value["metadata"])["labels"])[idleLabel] === "false";
}

function goingOn(objects: readonly BuiltObject[]): Remark[] {
  const names = objects.flatMap((object) => {
    if (isOf(others, object)) return [describe(object)];
    const why = isOf(stoppable, object) ? untouched(object) : undefined;
    return why === undefined ? [] : [`${describe(object)} (${why})`];
  });
  if (names.length === 0) return [];
  return [
    {
      field: ["idle"],
      message: `does not stop ${listed(names)}; leave that out where the set is idle, or label it ${idleLabel}: "false" where it may run twice`,
    },
  ];
}

/** Why Flux or helm would not do what idle says. */
function untouched(object: BuiltObject): string | undefined {
  const ssa = fluxMark(object, "ssa");
  if (ssa === "IfNotPresent" || ssa === "Ignore") return `ssa: ${ssa}`;
  if (fluxMark(object, "reconcile") === "disabled") return "reconcile: disabled";
  const isHeld =
    isKind(object, groups.helm, "HelmRelease") && asMap(object.value["spec"])["suspend"] === true;
  return isHeld ? "suspended" : undefined;
}

function replaced({ set, bare }: Subject): Remark[] {
  const releases = objectsOf(bare).filter(
    (object) => isKind(object, groups.helm, "HelmRelease") && !isExempt(object),
  );
  // What the set's own patches give one is seen in their text alone.
  const byPatch = ownPatches(set).some((patch) => JSON.stringify(patch).includes("postRenderers"));
  const names = releases
    .filter(({ value }) => byPatch || asMap(value["spec"])["postRenderers"] !== undefined)
    .map(describe);
  if (names.length === 0) return [];
  return [
    {
      field: ["idle"],
      severity: "error",
      message: `would replace postRenderers of ${listed(names)}; label the release ${idleLabel}: "false" and stop it in its own postRenderers or values`,
    },
  ];
}

function isByHand({ cluster, set, isBootstrap }: Subject): boolean {
  if (cluster.idle !== true || isBootstrap) return false;
  return !cluster.sets.some(({ name }) => name === set.name);
}

const listed = (names: readonly string[]): string => showNames(names, 5);

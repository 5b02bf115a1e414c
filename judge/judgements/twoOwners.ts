import { showNames } from "../../values/show.ts";
import type { ClusterJudgement, ClusterRemark } from "../judgement.ts";
import { describe, fluxMark, groups, isFluxObject, isKind } from "../objects.ts";
import { type BuiltObject, type ClusterSubject, objectsOf, type Subject } from "../subject.ts";
import { definedFor, filledIn } from "../variables.ts";

interface Owned {
  readonly object: BuiltObject;
  readonly subject: Subject;
}

/** Two Kustomizations that apply one object undo each other, and the one that goes deletes it for both. */
export const twoOwners: ClusterJudgement = {
  name: "two-owners",
  severity: "warning",
  finds:
    "Two sets of a cluster apply the same object: each puts its own version back, and removing one deletes the object for " +
    "both. An error where it is a Kustomization of Flux, since its workloads go with it, and where the flux folder has the same " +
    "Kustomization or source.",
  judgeCluster(cluster): ClusterRemark[] {
    // Sets that share many objects are told of once, however many.
    const byOwners = Map.groupBy(shared(cluster), (owners) =>
      owners.map(({ subject }) => subject.set.name).join("\n"),
    );
    return [...byOwners.values()].map((objects): ClusterRemark => {
      const owners = objects[0]!.map(({ subject }) => subject);
      const named = owners.find(({ isBootstrap }) => !isBootstrap) ?? owners[0]!;
      const others = owners.filter((owner) => owner !== named);
      const all = objects.map((each) => each[0]!.object);
      const isOfFlux = others.some(({ isBootstrap }) => isBootstrap);
      // A source that goes stops those that take it, until its other owner brings it again; nothing is deleted by that.
      const takesAlong = all.some((object) => isKind(object, groups.kustomize, "Kustomization"));
      const isError = takesAlong || (isOfFlux && all.some(isFluxObject));
      const who = isOfFlux
        ? "the flux folder"
        : `${others.length === 1 ? "set" : "sets"} ${showNames(
            others.map(({ set }) => set.name),
            3,
          )}`;
      const flux = takesAlong ? ", with what those apply" : "";
      return {
        set: named.set.name,
        severity: isError ? "error" : "warning",
        message:
          `applies ${showNames(all.map(describe), 3)}, and so does ${who}: removing one of the sets deletes ` +
          `${all.length === 1 ? "it" : "them"} for both${flux}; keep ${all.length === 1 ? "it" : "them"} in one set`,
      };
    });
  },
};

/** Objects with more than one owner, each as its owners. */
function shared({ subjects }: ClusterSubject): (readonly Owned[])[] {
  const owners = new Map<string, Owned[]>();
  for (const subject of subjects) {
    const defined = definedFor(subject.set);
    for (const object of objectsOf(subject.build)) {
      const key = identityWith(object, defined);
      if (key === undefined || standsBack(object)) continue;
      const there = owners.get(key);
      if (there === undefined) owners.set(key, [{ object, subject }]);
      else if (there.at(-1)!.subject !== subject) there.push({ object, subject });
    }
  }
  return [...owners.values()].filter((each) => each.length > 1 && !isHarmless(each));
}

/** What an object is called on the cluster; undefined where a variable decides that nobody here knows. */
export function identityWith(
  { group, kind, namespace, name }: BuiltObject,
  defined: ReturnType<typeof definedFor>,
): string | undefined {
  const [inNamespace, called] = [filledIn(namespace, defined), filledIn(name, defined)];
  return inNamespace === undefined || called === undefined
    ? undefined
    : `${group}/${kind} ${inNamespace}/${called}`;
}

/** An object that Flux only makes where there is none, or leaves alone. */
export function standsBack(object: BuiltObject): boolean {
  const ssa = fluxMark(object, "ssa");
  return ssa === "IfNotPresent" || ssa === "Ignore";
}

/** The same for all, and deleted by none: the way to share a Namespace. */
function isHarmless(owners: readonly Owned[]): boolean {
  const [first, ...others] = owners.map(({ object }) => JSON.stringify(object.value));
  return (
    others.every((other) => other === first) &&
    owners.every(
      ({ object, subject }) => fluxMark(object, "prune") === "disabled" || subject.set.spec.prune !== true,
    )
  );
}

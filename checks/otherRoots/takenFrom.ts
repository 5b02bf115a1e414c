import { isDeepStrictEqual } from "node:util";
import { normalFolder } from "../../build/index.ts";
import {
  builtObject,
  type BuiltObject,
  type ClusterSubject,
  definedFor,
  describe,
  fluxMark,
  identityOf,
  identityWith,
  isFluxObject,
  standsBack,
  type Subject,
} from "../../judge/index.ts";
import { asText } from "../../values/maps.ts";
import { showNames } from "../../values/show.ts";
import type { AppliedSet } from "../applied/index.ts";
import { isRunning, keyOf, type RootWorld } from "./rootWorld.ts";

/**
 * What a cluster's sets would have in common with those of a root, or take from them. A set of the same name is the same
 * Kustomization on the cluster, which the bootstrap takes over as it is.
 */
export function takenFrom(
  { root, before, after }: RootWorld,
  { cluster, subjects }: ClusterSubject,
): string[] {
  const ours = new Map(
    subjects.map((subject) => [
      subject.isBootstrap ? `${cluster.config}-bootstrap` : keyOf(subject.set),
      subject,
    ]),
  );
  const applied = appliedBy(subjects);
  const today = new Set(
    before.sets
      .filter(isRunning)
      .flatMap((set) => set.objects.map(({ object }) => ownedBy(set, builtObject(object)))),
  );
  return [
    ...after.sets.filter(isRunning).flatMap((set) => shared(root.label, set, { applied, today })),
    ...before.sets.filter(isRunning).flatMap((set) => {
      const subject = ours.get(keyOf(set));
      const lost = subject === undefined ? [] : lostTo(subject, set, { applied, after: after.sets });
      return lost.length === 0 ? [] : [lets(root.label, set, { subject: subject!, lost })];
    }),
  ];
}

/** Objects by identity with the subjects that apply them, without what a set only makes where there is none. */
type Applied = ReadonlyMap<string, readonly { readonly subject: Subject; readonly object: BuiltObject }[]>;

function appliedBy(subjects: readonly Subject[]): Applied {
  const all = subjects.flatMap((subject) => {
    const defined = definedFor(subject.set);
    const objects = subject.build.kind === "built" ? subject.build.objects : [];
    return objects.map((object) => ({ subject, object, key: identityWith(object, defined) }));
  });
  return Map.groupBy(
    all.filter(({ key, object }) => key !== undefined && !standsBack(object)),
    ({ key }) => key!,
  );
}

/** An object with the set that applies it. */
function ownedBy(set: Pick<AppliedSet, "name" | "namespace">, object: BuiltObject): string {
  return `${keyOf(set)}\n${identityOf(object)}`;
}

/**
 * Objects that a set of a root and one of ours with another name both apply, in a sentence for each pair. What the root's set
 * of our name has `today` has two owners already, which an adoption does not change: that is a warning, said elsewhere.
 */
function shared(
  label: string,
  set: AppliedSet,
  { applied, today }: { readonly applied: Applied; readonly today: ReadonlySet<string> },
): string[] {
  const pairs = set.objects.flatMap(({ object: value }) => {
    const object = builtObject(value);
    return (applied.get(identityOf(object)) ?? [])
      .filter(({ subject }) => !isHandedOver(object, subject) && keyOf(subject.set) !== keyOf(set))
      .filter(({ subject }) => !today.has(ownedBy(subject.set, object)))
      .filter((one) => !standsBack(object) && !isSafe(object, set, one))
      .map(({ subject }) => ({ subject, object }));
  });
  const bySet = Map.groupBy(pairs, ({ subject }) => keyOf(subject.set));
  return [...bySet].map(
    ([name, both]) =>
      `${label} applies ${showNames(
        both.map(({ object }) => describe(object)),
        3,
      )} by ${keyOf(set)}, and set ${name} would too: ` +
      `two owners, and the one that goes deletes it for both. ${takeOver(set)}, or write suspend: true there first.`,
  );
}

/** What a root applies of Flux itself, the bootstrap may have: that is how sets get to it. */
function isHandedOver(object: BuiltObject, subject: Subject): boolean {
  return subject.isBootstrap && isFluxObject(object);
}

/** The same for both, and deleted by neither: the way to share a Namespace. */
function isSafe(
  object: BuiltObject,
  { spec }: AppliedSet,
  { object: other, subject }: { readonly object: BuiltObject; readonly subject: Subject },
): boolean {
  const stays = (one: BuiltObject, prune: unknown): boolean =>
    fluxMark(one, "prune") === "disabled" || prune !== true;
  return (
    JSON.stringify(object.value) === JSON.stringify(other.value) &&
    stays(object, spec["prune"]) &&
    stays(other, subject.set.spec.prune)
  );
}

/** Objects of a set that nothing applies any more once the set of its name in the fleet file has taken its place. */
function lostTo(
  { set, build }: Subject,
  old: AppliedSet,
  { applied, after }: { readonly applied: Applied; readonly after: readonly AppliedSet[] },
): BuiltObject[] {
  if (set.spec.prune !== true || build.kind !== "built") return [];
  const kept = new Set(
    after
      .filter((one) => keyOf(one) !== keyOf(old))
      .flatMap(({ objects }) => objects.map(({ object }) => identityOf(builtObject(object)))),
  );
  return old.objects
    .map(({ object, file }) => builtObject(object, file))
    .filter((object) => fluxMark(object, "prune") !== "disabled")
    .filter((object) => !applied.has(identityOf(object)) && !kept.has(identityOf(object)));
}

/** How the fleet file's set becomes the Kustomization that the root has brought. */
function takeOver({ name, namespace }: AppliedSet): string {
  return `Call the set ${name}${namespace === undefined ? "" : `, with namespace: ${namespace}`}`;
}

/** Fields that decide what the objects of a set are called, or which there are. */
const naming = ["targetNamespace", "namePrefix", "nameSuffix", "components", "patches"];

function lets(
  label: string,
  set: AppliedSet,
  { subject, lost }: { readonly subject: Subject; readonly lost: readonly BuiltObject[] },
): string {
  const { spec } = subject.set;
  const { spec: old } = set;
  const isMoved = normalFolder(spec.path) !== normalFolder(asText(old["path"]) ?? "");
  const changed = naming.filter((field) => !isDeepStrictEqual(spec[field], old[field]));
  const differing = [...(isMoved ? ["path"] : []), ...changed];
  return (
    `set ${keyOf(set)} takes the place of the one that ${label} brings, which applies ${showNames(lost.map(describe), 3)}; this one ` +
    `would not, so Flux deletes that. Write the ${differing.join(" and ") || "fields"} that it has now, ` +
    "and change it once the new bootstrap owns it."
  );
}

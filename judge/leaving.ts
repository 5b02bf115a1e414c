import type { ClusterSet } from "../fleet/model.ts";
import { asList, asMap, asText } from "../values/maps.ts";
import { showNames } from "../values/show.ts";
import { definedKind, describe, fluxMark, groups, isKind } from "./objects.ts";
import { type BuiltObject, objectsOf, type Build, type Subject } from "./subject.ts";
import { identityWith } from "./judgements/twoOwners.ts";
import { definedFor } from "./variables.ts";

/** What goes with a set that is removed. */
export interface Leaving {
  /** `12 objects: Namespace shop, 3 Deployments (a, b, c)`; undefined where the build cannot tell. */
  readonly goes: string | undefined;
  /** Why that could not be looked at: `OCIRepository charts lies elsewhere`. */
  readonly unseen: string | undefined;
  /** Why others would suffer, each a clause such as `set till has objects in Namespace shop`. */
  readonly needed: readonly string[];
}

/** A set that goes: its spec as it is in the repository, and what Flux built of it. */
export interface GoingBuild {
  readonly name: string;
  readonly set: Pick<ClusterSet, "spec">;
  readonly build: Build;
}

/** Says what Flux deletes when a set is removed, and who of those that stay needs it. */
export function leaving(going: GoingBuild, staying: readonly Subject[]): Leaving {
  const objects = objectsOf(going.build).filter(
    (object) => fluxMark(object, "prune") !== "disabled" && fluxMark(object, "ssa") !== "Ignore",
  );
  return {
    goes: going.build.kind === "built" ? summary(objects) : undefined,
    unseen: unseen(going.build),
    needed: staying.flatMap((subject) => needs(subject, going, objects)),
  };
}

function unseen(build: Build): string | undefined {
  switch (build.kind) {
    case "built":
      return undefined;
    case "failed":
      return build.message;
    case "missing":
      return `./${build.path} is not there`;
    case "unjudged":
      return build.why;
  }
}

/** Objects by kind, with the names of the first ones: those that hold others come first. */
function summary(objects: readonly BuiltObject[]): string {
  const byKind = [...Map.groupBy(objects, ({ kind }) => kind)].sort(
    ([one, first], [other, second]) => weight(other) - weight(one) || second.length - first.length,
  );
  const kinds = byKind.map(([kind, all]) => {
    const names = showNames(
      all.map(({ namespace, name }) => (namespace === "" ? name : `${namespace}/${name}`)),
      3,
    );
    return all.length === 1 ? `${kind} ${names}` : `${all.length} ${kind} (${names})`;
  });
  return `${objects.length} object${objects.length === 1 ? "" : "s"}${kinds.length === 0 ? "" : `: ${showNames(kinds, 6)}`}`;
}

/** What takes others with it when it goes. */
function weight(kind: string): number {
  const heavy = [
    "Kustomization",
    "CustomResourceDefinition",
    "Namespace",
    "PersistentVolumeClaim",
    "StatefulSet",
  ];
  return kind === "Namespace" ? heavy.length : heavy.indexOf(kind) + 1;
}

function needs(
  { set, build, isBootstrap }: Subject,
  going: GoingBuild,
  objects: readonly BuiltObject[],
): string[] {
  const who = isBootstrap ? "the flux folder" : `set ${set.name}`;
  const defined = definedFor(set);
  const left = definedFor(going.set);
  const stays = objectsOf(build);
  const identities = new Map(objects.map((object) => [identityWith(object, left), object]));
  const clauses: string[] = [];

  const both = stays.flatMap((object) => {
    const same = identities.get(identityWith(object, defined) ?? "");
    return same === undefined ? [] : [same];
  });
  if (both.length > 0) clauses.push(`${who} applies ${showNames(both.map(describe), 3)} too`);

  const shared = new Set(both);
  for (const object of objects) {
    if (shared.has(object)) {
      if (!isKind(object, "", "Namespace")) continue;
    }
    const user = stays.find((each) => !shared.has(each) && uses(each, object));
    if (user !== undefined) clauses.push(`${describe(user)} of ${who} needs ${describe(object)}`);
    else if (setUses(set, object)) clauses.push(`${who} needs ${describe(object)}`);
  }
  return clauses;
}

/** Whether an object cannot be without another: it lies in that Namespace, is of that kind, or takes from that source. */
function uses(object: BuiltObject, other: BuiltObject): boolean {
  if (isKind(other, "", "Namespace")) return object.namespace === other.name;
  const kind = definedKind(other);
  if (kind !== undefined) return `${object.group}/${object.kind}` === kind;
  if (other.group !== groups.source) return false;
  const spec = asMap(object.value["spec"]);
  const reference = asMap(
    spec["sourceRef"] ?? asMap(asMap(spec["chart"])["spec"])["sourceRef"] ?? spec["chartRef"],
  );
  return names(reference, other, object.namespace);
}

/** Whether the set itself takes from it: a source, a ConfigMap or Secret with variables, its service account. */
function setUses({ spec, sourceRef }: ClusterSet, other: BuiltObject): boolean {
  if (other.namespace !== "flux-system")
    return isKind(other, "", "Namespace") && other.name === "flux-system";
  if (other.group === groups.source) return names({ ...sourceRef }, other, "flux-system");
  if (isKind(other, "", "ServiceAccount")) return asText(spec["serviceAccountName"]) === other.name;
  const { substituteFrom } = asMap(spec["postBuild"]);
  const secret = asMap(asMap(spec["decryption"])["secretRef"]);
  return (
    asList(substituteFrom).some((entry) => names(asMap(entry), other, "flux-system")) ||
    (other.kind === "Secret" && secret["name"] === other.name)
  );
}

function names(
  reference: Readonly<Record<string, unknown>>,
  { kind, name, namespace }: BuiltObject,
  own: string,
): boolean {
  return (
    reference["kind"] === kind &&
    reference["name"] === name &&
    (asText(reference["namespace"]) ?? own) === namespace
  );
}

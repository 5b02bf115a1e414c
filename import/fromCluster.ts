import { fluxNamespace } from "../fleet/model.ts";
import { ownerOf } from "../flux/owner.ts";
import { asMap } from "../values/maps.ts";
import type { ImportedObject } from "./documents.ts";
import { type FoundCluster, nameOf, placeOf } from "./readCluster.ts";
import { bootstrapName, isNamed, type Root, type SourceName, sourceNamed, usualSource } from "./roots.ts";

/**
 * A cluster by its own objects, as `kubectl get kustomizations,gitrepositories,ocirepositories,buckets -A -o yaml` lists
 * them. What each was applied by stands in its labels: the root applies itself, what another set applies stays with that.
 */
export function foundOnCluster(name: string, objects: readonly ImportedObject[]): FoundCluster {
  const kustomizations = objects.filter(({ kind }) => kind === "Kustomization");
  const itself = kustomizations.filter((object) => ownerOf(object.value) === nameOf(object));
  const root = rootOf(
    itself.find((object) => nameOf(object) === bootstrapName) ??
      itself[0] ??
      kustomizations.find((object) => nameOf(object) === bootstrapName),
  );
  const isNested = (object: ImportedObject): boolean => {
    const parent = ownerOf(object.value);
    return parent !== undefined && parent !== root?.name && parent !== nameOf(object);
  };
  const follows = root === undefined ? onlySource(objects) : undefined;
  return {
    name,
    root,
    ...(follows !== undefined && { follows }),
    objects: objects.filter((object) => !isNested(object)),
    nested: new Set(kustomizations.filter(isNested).map(({ value }) => placeOf(value))),
  };
}

/** The GitRepository of flux-system that all Kustomizations take which take one: without a root it stands for the repository. */
function onlySource(objects: readonly ImportedObject[]): SourceName | undefined {
  const taken = objects.flatMap(({ kind, value }) => {
    if (kind !== "Kustomization") return [];
    const reference = asMap(asMap(value["spec"])["sourceRef"]);
    const source = sourceNamed(reference, asMap(value["metadata"])["namespace"]);
    return source?.kind === "GitRepository" ? [source] : [];
  });
  const [first, ...others] = taken;
  if (first === undefined || others.some((each) => !isNamed(each, first))) return undefined;
  const place = `${fluxNamespace}/${first.name}`;
  const isThere = objects.some(({ kind, value }) => kind === "GitRepository" && placeOf(value) === place);
  return isThere && first.namespace === undefined ? first : undefined;
}

function rootOf(object: ImportedObject | undefined): Root | undefined {
  if (object === undefined) return undefined;
  const spec = asMap(object.value["spec"]);
  const name = nameOf(object);
  const source = sourceNamed(asMap(spec["sourceRef"]), asMap(object.value["metadata"])["namespace"]);
  return {
    ...{ folder: "", base: "", label: `Kustomization ${name}`, name, file: object.file, spec },
    source: source ?? usualSource,
  };
}

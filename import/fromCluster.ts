import { ownerOf } from "../flux/owner.ts";
import { asMap } from "../values/maps.ts";
import type { ImportedObject } from "./documents.ts";
import { type FoundCluster, nameOf, placeOf } from "./readCluster.ts";
import { bootstrapName, type Root, sourceNamed, usualSource } from "./roots.ts";

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
  return {
    name,
    root,
    objects: objects.filter((object) => !isNested(object)),
    nested: new Set(kustomizations.filter(isNested).map(({ value }) => placeOf(value))),
  };
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

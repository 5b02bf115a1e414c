import { asMap, asText } from "../values/maps.ts";
import type { ImportedObject } from "./documents.ts";
import { type FoundCluster, nameOf } from "./readCluster.ts";
import { bootstrapName, type Root } from "./roots.ts";

/** The label that kustomize-controller puts on all that a Kustomization applies. */
const parentLabel = "kustomize.toolkit.fluxcd.io/name";

/**
 * A cluster by its own objects, as `kubectl get kustomizations,gitrepositories,ocirepositories,buckets -A -o yaml` lists
 * them. What each was applied by stands in its labels: the root applies itself, what another set applies stays with that.
 */
export function foundOnCluster(name: string, objects: readonly ImportedObject[]): FoundCluster {
  const kustomizations = objects.filter(({ kind }) => kind === "Kustomization");
  const itself = kustomizations.filter((object) => parentOf(object) === nameOf(object));
  const root = rootOf(
    itself.find((object) => nameOf(object) === bootstrapName) ??
      itself[0] ??
      kustomizations.find((object) => nameOf(object) === bootstrapName),
  );
  const isNested = (object: ImportedObject): boolean => {
    const parent = parentOf(object);
    return parent !== undefined && parent !== root?.name && parent !== nameOf(object);
  };
  return {
    name,
    root,
    objects: objects.filter((object) => !isNested(object)),
    nested: new Map(kustomizations.filter(isNested).map((object) => [nameOf(object), parentOf(object)!])),
  };
}

function rootOf(object: ImportedObject | undefined): Root | undefined {
  if (object === undefined) return undefined;
  const spec = asMap(object.value["spec"]);
  const name = nameOf(object);
  const source = asText(asMap(spec["sourceRef"])["name"]) ?? bootstrapName;
  return { folder: "", label: `Kustomization ${name}`, name, file: object.file, spec, source };
}

function parentOf({ value }: ImportedObject): string | undefined {
  return asText(asMap(asMap(value["metadata"])["labels"])[parentLabel]);
}

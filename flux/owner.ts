import { asMap, asText, type YamlMap } from "../values/maps.ts";

/** Labels that kustomize-controller puts on all that a Kustomization applies, by which it knows what is its own. */
export const ownerLabels = {
  name: "kustomize.toolkit.fluxcd.io/name",
  namespace: "kustomize.toolkit.fluxcd.io/namespace",
} as const;

/** Name of the Kustomization that applied an object last; undefined where none did. */
export function ownerOf(object: YamlMap): string | undefined {
  return ownerLabel(object, "name");
}

/** Namespace of that Kustomization. */
export function ownerNamespaceOf(object: YamlMap): string | undefined {
  return ownerLabel(object, "namespace");
}

function ownerLabel(object: YamlMap, of: keyof typeof ownerLabels): string | undefined {
  return asText(asMap(asMap(object["metadata"])["labels"])[ownerLabels[of]]);
}

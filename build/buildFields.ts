import type { PlainMap } from "../fleet/model.ts";

/** Fields of a Kustomization's spec that change what is built. Everything else is about when and how it is applied. */
export const buildFields = [
  "targetNamespace",
  "namePrefix",
  "nameSuffix",
  "patches",
  "images",
  "components",
  "ignoreMissingComponents",
  "buildMetadata",
] as const;

/** Of a spec, what changes the build. */
export function buildSpec(spec: PlainMap): PlainMap {
  return Object.fromEntries(
    buildFields.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
  );
}

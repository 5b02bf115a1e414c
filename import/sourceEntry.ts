import { fluxNamespace } from "../fleet/model.ts";
import type { FluxMinor } from "../values/fluxVersions.ts";
import type { CrdKind } from "../flux/crd/kinds.ts";
import { checkedSpec } from "./checkedSpec.ts";
import { isMap } from "../values/maps.ts";
import type { ImportedObject } from "./documents.ts";
import { metadataOf } from "./metadata.ts";
import type { Report } from "./notTaken.ts";
import { modernSpec } from "./oldFields.ts";

/** A GitRepository, OCIRepository or Bucket on its way to `sources`. */
export interface ImportedSource {
  readonly name: string;
  readonly kind: SourceEntryKind;
  readonly minor: FluxMinor;
  readonly spec: Readonly<Record<string, unknown>>;
}

export const sourceEntryKinds = ["GitRepository", "OCIRepository", "Bucket"] as const satisfies CrdKind[];
export type SourceEntryKind = (typeof sourceEntryKinds)[number];

/** The source that renders to the same object; undefined, and noted, when there is none. */
export function sourceEntry(
  object: ImportedObject,
  kind: SourceEntryKind,
  report: Report,
): ImportedSource | undefined {
  const metadata = metadataOf(object, report);
  if (metadata === undefined) return undefined;
  if (metadata.namespace !== undefined) {
    report(
      "metadata.namespace",
      `is not ${fluxNamespace}, where sources of a fleet file are; it is left out, and sets name it by \`sourceRef\``,
      "object",
    );
    return undefined;
  }
  for (const key of ["labels", "annotations"] as const) {
    if (Object.keys(metadata[key]).length > 0)
      report(`metadata.${key}`, "has no place in a source, and is left out", "part");
  }
  const raw = isMap(object.value["spec"]) ? object.value["spec"] : {};
  const checked = checkedSpec(kind, modernSpec(raw, report), report);
  return checked && { name: metadata.name, kind, minor: checked.minor, spec: checked.spec };
}

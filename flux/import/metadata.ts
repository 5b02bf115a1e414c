import { fluxNamespace } from "../../fleet/model.ts";
import { isMap, type ImportedObject } from "./documents.ts";
import type { Report } from "./notTaken.ts";

/** What of an object's metadata means something in Git. */
export interface Metadata {
  readonly name: string;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, unknown>>;
}

const known: ReadonlySet<string> = new Set(["name", "namespace", "labels", "annotations"]);

/** Undefined, and noted, when the object cannot be one of Arcflux's: without a name, or in another namespace. */
export function metadataOf({ value }: ImportedObject, report: Report): Metadata | undefined {
  const metadata = isMap(value["metadata"]) ? value["metadata"] : {};
  const { name, namespace, labels, annotations } = metadata;
  if (typeof name !== "string" || name === "") {
    report("metadata.name", "is missing; the object is left out");
    return undefined;
  }
  if (namespace !== undefined && namespace !== null && namespace !== fluxNamespace) {
    report(
      "metadata.namespace",
      `is not ${fluxNamespace}, where Arcflux puts every Flux object; the object is left out`,
    );
    return undefined;
  }
  if (namespace === undefined || namespace === null) {
    report(
      "metadata.namespace",
      `is missing; it is written as ${fluxNamespace}: see that no kustomization.yaml says otherwise`,
    );
  }
  for (const key of Object.keys(metadata)) {
    if (!known.has(key)) report(`metadata.${key}`, "belongs to the cluster, not to Git, and is left out");
  }
  if (value["status"] !== undefined) report("status", "belongs to the cluster, not to Git, and is left out");
  return {
    name,
    labels: isMap(labels) ? labels : {},
    annotations: isMap(annotations) ? annotations : {},
  };
}

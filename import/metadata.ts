import { fluxNamespace } from "../fleet/model.ts";
import { isMap } from "../values/maps.ts";
import type { ImportedObject } from "./documents.ts";
import type { Report } from "./notTaken.ts";

/** What of an object's metadata means something in Git. */
export interface Metadata {
  readonly name: string;
  /** Where that is not flux-system. */
  readonly namespace: string | undefined;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, unknown>>;
}

const known: ReadonlySet<string> = new Set(["name", "namespace", "labels", "annotations"]);
/** What the API server and controllers write, as `kubectl get -o yaml` prints it: nobody meant it for Git. */
const fromCluster: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
  "ownerReferences",
  "finalizers",
  "selfLink",
]);
const ofControllers =
  /^(kustomize\.toolkit\.fluxcd\.io\/(name|namespace)|reconcile\.fluxcd\.io\/.*|kubectl\.kubernetes\.io\/last-applied-configuration)$/;

/** Undefined, and noted, when the object has no name. */
export function metadataOf({ value }: ImportedObject, report: Report): Metadata | undefined {
  const metadata = isMap(value["metadata"]) ? value["metadata"] : {};
  const { name, namespace, labels, annotations } = metadata;
  if (typeof name !== "string" || name === "") {
    report("metadata.name", "is missing; the object is left out", "object");
    return undefined;
  }
  if (namespace === undefined || namespace === null) {
    report(
      "metadata.namespace",
      `is missing; it is written as ${fluxNamespace}: see that no kustomization.yaml says otherwise`,
      "decide",
    );
  }
  for (const key of Object.keys(metadata)) {
    if (!known.has(key) && !fromCluster.has(key))
      report(`metadata.${key}`, "belongs to the cluster, not to Git, and is left out", "part");
  }
  return {
    name,
    namespace: typeof namespace === "string" && namespace !== fluxNamespace ? namespace : undefined,
    labels: texts(labels, "labels", report),
    annotations: texts(annotations, "annotations", report),
  };
}

/** Whether a label or annotation is one that Flux or kubectl writes on the cluster. */
export function isOfControllers(key: string): boolean {
  return ofControllers.test(key);
}

/** Labels or annotations without those of controllers. What is not text the API server refuses: it is named. */
function texts(value: unknown, where: string, report: Report): Readonly<Record<string, unknown>> {
  const entries = Object.entries(isMap(value) ? value : {}).filter(([key]) => !ofControllers.test(key));
  for (const [key, inner] of entries)
    if (typeof inner !== "string")
      report(
        `metadata.${where}.${key}`,
        "is not text as Flux reads it, which the cluster refuses; it is left out: put it in quotes",
        "part",
      );
  return Object.fromEntries(entries.filter(([, inner]) => typeof inner === "string"));
}

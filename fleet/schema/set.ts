import { z } from "zod";
import { sourceKinds } from "../model.ts";
import { rules } from "../rules.ts";
import { date, duration, folderPath, named, sentence, text } from "../values.ts";
import { field, must, part, reference, sourceText, word } from "./fields.ts";

/* Fields of a set: those of Flux's Kustomization by their own names, and what Arcflux adds. */

export const labels = named(rules.labelKey, text(rules.labelValue));
export const annotations = named(rules.labelKey, z.string());

/** Which objects a patch or an `ignore` is for. */
const target = z.strictObject({
  group: part(z.string(), "API group, such as apps."),
  version: part(z.string(), "API version, such as v1."),
  kind: part(z.string(), "Kind, such as Deployment."),
  name: part(z.string(), "Name, or a regular expression that matches it whole."),
  namespace: part(z.string(), "Namespace, or a regular expression that matches it whole."),
  labelSelector: part(z.string(), "Label selector, such as app=web."),
  annotationSelector: part(z.string(), "Annotation selector."),
});

const dependency = z.union([
  word(),
  z.strictObject({
    name: must(word(), "Name of the set, or of a Kustomization that exists on the cluster."),
    namespace: part(text(rules.namespace), "Its namespace. Default: flux-system."),
    readyExpr: part(word(), "CEL expression over `self` and `dep` that decides instead of readiness."),
    external: part(z.boolean(), "It is not a set of the fleet file but exists on the cluster."),
  }),
]);

const healthCheck = z.strictObject({
  apiVersion: part(word(), "Such as apps/v1."),
  kind: must(text(rules.kind), "Such as Deployment."),
  name: must(word(), "Its name."),
  namespace: part(text(rules.namespace), "Its namespace; left out only for an object that is in none."),
});

const healthCheckExpr = z.strictObject({
  apiVersion: must(word(), "API version of the custom resource."),
  kind: part(text(rules.kind), "Its kind."),
  current: must(word(), "CEL expression that is true when the object is ready."),
  inProgress: part(word(), "CEL expression that is true while it gets there."),
  failed: part(word(), "CEL expression that is true when it failed."),
});

const patch = z.strictObject({
  patch: must(z.string(), "Strategic merge patch or JSON 6902 patch, as text."),
  target: part(target, "What it is for; a strategic merge patch may name its object itself."),
});

const image = z.strictObject({
  name: must(word(), "Image as the manifests name it."),
  newName: part(word(), "Image that takes its place."),
  newTag: part(sourceText("a tag"), "Tag that takes its place."),
  digest: part(word(), "Digest that takes the place of the tag."),
});

const postBuild = z.strictObject({
  substitute: part(
    named(rules.variableName, sourceText("a variable")),
    "Replaces ${name} in the manifests of this set, over the cluster's variables.",
  ),
  substituteFrom: part(
    z.array(
      z.strictObject({
        kind: must(z.enum(["ConfigMap", "Secret"]), "ConfigMap or Secret."),
        name: must(word(), "Its name."),
        optional: part(z.boolean(), "Whether it may be missing. Default: false."),
      }),
    ),
    "Takes variables from ConfigMaps and Secrets on the cluster; the place for secret ones.",
  ),
  substituteStrategy: part(
    z.enum(["WithVariables", "Always"]),
    "Always: replace even without any variable. Default: WithVariables. Needs Flux 2.9.",
  ),
});

/** Timing; each default of Arcflux is written once, in defaultFields. */
const interval = () => duration({ least: 60 });

/** Everything that `defaults` may say too. */
const shareable = {
  window: field(
    z.union([z.string(), z.array(z.string()).min(1)]),
    "A key of `windows`, or several; what is committed reaches the set only while one of them is open.",
    "nightly",
  ),
  interval: part(interval(), "How often Flux compares the cluster with Git.", "10m"),
  retryInterval: field(duration(), "How soon Flux tries again after a failure.", "2m"),
  timeout: field(duration(), "How long applying and waiting may take.", "5m"),
  prune: part(z.boolean(), "Whether what leaves Git is deleted from the cluster."),
  wait: field(z.boolean(), "Whether the set is ready only when all it applied is."),
  force: field(z.boolean(), "Whether an object is made anew when a change to it is refused."),
  deletionPolicy: field(
    z.enum(["MirrorPrune", "Delete", "WaitForTermination", "Orphan"]),
    "What happens to what the set applied once the set itself is deleted. Default: MirrorPrune.",
  ),
  namespace: field(
    text(rules.namespace),
    "Namespace of the set's own Kustomization, made where it is missing. Default: flux-system.",
    "apps",
  ),
  targetNamespace: field(text(rules.namespace), "Namespace that everything in the set is put in."),
  serviceAccountName: field(
    text(rules.objectName),
    "Service account that Flux applies the set as. With lockdown the default is flux-applier.",
  ),
  namePrefix: field(word().max(200), "Put before the name of everything in the set."),
  nameSuffix: field(word().max(200), "Put after the name of everything in the set."),
  commonMetadata: field(
    z.strictObject({
      labels: part(labels, "Labels of everything in the set."),
      annotations: part(annotations, "Annotations of everything in the set."),
    }),
    "Metadata of everything in the set.",
  ),
  components: field(z.array(word()), "Kustomize components, relative to the set's path."),
  ignoreMissingComponents: field(z.boolean(), "Whether a missing component is passed over."),
  images: field(z.array(image), "Replaces images."),
  patches: field(z.array(patch), "Patches to the manifests."),
  ignore: field(
    z.array(
      z.strictObject({
        paths: must(z.array(word()).min(1), "JSON pointers of fields, such as /spec/replicas."),
        target: part(target, "Which objects. Default: all."),
      }),
    ),
    "Fields that Flux leaves alone when it corrects drift. Needs Flux 2.9.",
  ),
  buildMetadata: field(
    z.array(z.enum(["originAnnotations", "transformerAnnotations"])),
    "Annotations that say where an object came from. Needs Flux 2.9.",
  ),
  postBuild: field(postBuild, "Variables that are replaced after the build."),
  decryption: field(
    z.strictObject({
      provider: must(z.enum(["sops"]), "sops."),
      secretRef: reference("Secret with the keys."),
      serviceAccountName: part(text(rules.objectName), "Service account with access to a key service."),
    }),
    "How encrypted Secrets in Git are decrypted.",
  ),
  kubeConfig: field(
    z.strictObject({
      secretRef: part(
        z.strictObject({
          name: must(word(), "Its name, in the namespace flux-system."),
          key: part(word(), "Its key. Default: value or value.yaml."),
        }),
        "Secret that holds a kubeconfig.",
      ),
      configMapRef: reference("ConfigMap that says how to reach the cluster without a secret."),
    }),
    "Another cluster that the set is applied to.",
  ),
  healthChecks: field(
    z.array(healthCheck),
    "Objects that must be ready for the set to be. They switch an inherited `wait` off, with which Flux would ignore them.",
    [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", namespace: "web" }],
  ),
  healthCheckExprs: field(z.array(healthCheckExpr), "How the readiness of custom resources is told."),
  labels: field(labels, "Labels of the Kustomization; merged key by key."),
  annotations: field(annotations, "Annotations of the Kustomization; merged key by key."),
};

/** Everything one layer may say about a set. */
export const setFields = z
  .strictObject({
    path: part(
      folderPath(),
      "Folder of manifests, from the root of its source. Default: the set's folder below the cluster's.",
      "./infrastructure",
    ),
    source: field(
      z.string(),
      "A key of `sources` that the manifests come from. Default: the fleet's own repository.",
    ),
    sourceRef: field(
      z.strictObject({
        apiVersion: part(word(), "API version of the source, where it is not Flux's own."),
        kind: must(z.enum(sourceKinds), "Kind of the source.", "ExternalArtifact"),
        name: must(text(rules.objectName), "Its name."),
        namespace: part(text(rules.namespace), "Its namespace. Default: flux-system."),
      }),
      "A source on the cluster that the fleet file does not declare; `source` names one that it does.",
    ),
    tenant: field(
      z.string(),
      "A key of `tenants`: the set is applied as that tenant, in its namespaces alone.",
      "pizza",
    ),
    dependsOn: field(z.array(dependency), "Sets of the same cluster that must be ready first.", [
      "infrastructure",
    ]),
    suspend: field(
      z.union([
        z.literal(false),
        z.strictObject({
          reason: must(sentence(), "Why, for whoever comes next.", "INC-4711"),
          until: part(date(), "Calendar date after which a warning reminds of it.", "2026-12-24"),
        }),
      ]),
      "Suspends the set, with a reason; false lifts an inherited suspension.",
      { reason: "INC-4711", until: "2026-12-24" },
    ),
    idle: part(
      z.boolean(),
      "Whether what it runs is stopped. false: it goes on on an idle cluster too, as infrastructure has to. Default: what stage, group and cluster say.",
    ),
    uniform: part(
      z.boolean(),
      "In `sets` alone: whether each cluster of a stage takes the set, at one path and pin and without patches of its own; only variables may differ. Default: false.",
    ),
    ...shareable,
  })
  .meta({ id: "set" });

/** What stages, groups and clusters say about every set. */
export const layerDefaults = z.strictObject(shareable).meta({ id: "setDefaults" });

/** The fleet's own defaults, with those of Arcflux filled in. */
export const defaultFields = z.strictObject({
  ...shareable,
  interval: must(interval().default("10m"), "How often Flux compares the cluster with Git."),
  retryInterval: must(duration().nullable().default("2m"), "How soon Flux tries again after a failure."),
  timeout: must(duration().nullable().default("5m"), "How long applying and waiting may take."),
  prune: must(z.boolean().default(true), "Whether what leaves Git is deleted from the cluster."),
  wait: must(z.boolean().nullable().default(true), "Whether a set is ready only when all it applied is."),
});

/** Fields of a set as one layer states them. */
export type SetFields = z.output<typeof setFields>;

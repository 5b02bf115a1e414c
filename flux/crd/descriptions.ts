import type { CrdKind } from "./kinds.ts";

/* What the fields are for, in our words. Keys are paths without the indexes of lists: `dependsOn.readyExpr`. */

const source = {
  interval: "How often Flux looks for something new, such as 5m.",
  timeout: "Limit for one fetch, with the units ms, s and m; 60s unless set.",
  suspend: "Stops fetching; what was fetched last stays in use.",
  secretRef: "Secret with the credentials, in the namespace of the source.",
  proxySecretRef: "Secret with `address` and, where needed, `username` and `password` of a proxy.",
  ignore: "Files to leave out, as lines of a .gitignore file. Replaces the default list.",
  serviceAccountName: "Service account whose cloud identity is used to fetch.",
};

const target = {
  target: "Objects that this applies to; all of them unless set.",
  "target.group": "API group of the objects, such as apps.",
  "target.version": "API version of the objects, such as v1.",
  "target.kind": "Kind of the objects.",
  "target.name": "Name of the objects; a regular expression.",
  "target.namespace": "Namespace of the objects; a regular expression.",
  "target.labelSelector": "Labels of the objects, such as app=web.",
  "target.annotationSelector": "Annotations of the objects, such as tier=edge.",
};

const Kustomization = {
  interval: "How often Flux applies the set and corrects drift, such as 10m.",
  retryInterval: "Wait before another try after a failure; the interval unless set.",
  timeout: "Limit for building, applying and health checking; the interval unless set.",
  path: "Folder of manifests in the source, from its root.",
  prune: "Deletes from the cluster what is no longer in the source.",
  force: "Deletes and creates an object anew when a field that cannot change has changed.",
  suspend: "Stops reconciling; what is on the cluster stays as it is.",
  wait: "Ready only once everything that was applied is healthy. Flux then ignores healthChecks.",
  dependsOn: "Kustomizations that must be ready first.",
  "dependsOn.name": "Name of the Kustomization to wait for.",
  "dependsOn.namespace": "Its namespace; the same one unless set.",
  "dependsOn.readyExpr": "CEL expression on `dep` and `self` that decides when it is ready.",
  sourceRef: "The source that holds the manifests.",
  "sourceRef.apiVersion": "API version of the source.",
  "sourceRef.kind": "Kind of the source.",
  "sourceRef.name": "Name of the source.",
  "sourceRef.namespace": "Namespace of the source; the same one unless set.",
  healthChecks: "Objects that must be healthy before the set is ready. Of no effect with wait.",
  "healthChecks.apiVersion": "API version of the object, such as apps/v1.",
  "healthChecks.kind": "Kind of the object, such as Deployment.",
  "healthChecks.name": "Name of the object.",
  "healthChecks.namespace": "Namespace of the object.",
  healthCheckExprs: "How to tell the health of custom kinds, in CEL.",
  "healthCheckExprs.apiVersion": "API version of the kind.",
  "healthCheckExprs.kind": "The kind.",
  "healthCheckExprs.current": "True once an object is healthy.",
  "healthCheckExprs.inProgress": "True while an object is still on its way.",
  "healthCheckExprs.failed": "True when an object has failed.",
  patches: "Changes to the manifests: strategic merge or JSON 6902 patches.",
  "patches.patch": "The patch as text.",
  ...below("patches", target),
  images: "Other names, tags or digests for container images.",
  "images.name": "Image as the manifests name it, without a tag.",
  "images.newName": "Name to put in its place.",
  "images.newTag": "Tag to put in place of its tag.",
  "images.digest": "Digest to put in place of its tag; wins over newTag.",
  components: "Kustomize components to add, as paths from `path`.",
  ignoreMissingComponents:
    "Leaves out components that the source does not have, where they would be an error.",
  namePrefix: "Put before the name of every object.",
  nameSuffix: "Put after the name of every object.",
  targetNamespace: "Namespace that every object is put in, whatever the manifests say.",
  serviceAccountName: "Service account in whose name the objects are applied.",
  commonMetadata: "Labels and annotations for every object.",
  "commonMetadata.labels": "Labels for every object.",
  "commonMetadata.annotations": "Annotations for every object.",
  postBuild: "What is put in place of ${VARIABLES} after the build.",
  "postBuild.substitute": "Variables and their values; all values are text.",
  "postBuild.substituteFrom": "ConfigMaps and Secrets with more variables. `substitute` wins over them.",
  "postBuild.substituteFrom.kind": "ConfigMap or Secret.",
  "postBuild.substituteFrom.name": "Name of the object, in the namespace of the Kustomization.",
  "postBuild.substituteFrom.optional": "Goes on without the object when it does not exist.",
  "postBuild.substituteStrategy":
    "WithVariables: substitutes only where variables are given. Always: in any case.",
  decryption: "How Secrets in the source are decrypted.",
  "decryption.provider": "The tool that they are encrypted with.",
  "decryption.secretRef": "Secret with the keys.",
  "decryption.serviceAccountName": "Service account whose cloud identity may use the keys.",
  kubeConfig: "Another cluster to apply to.",
  "kubeConfig.secretRef": "Secret with a kubeconfig.",
  "kubeConfig.configMapRef": "ConfigMap that says how to reach the cluster by cloud identity.",
  deletionPolicy:
    "What becomes of the applied objects when the Kustomization is deleted; MirrorPrune unless set.",
  buildMetadata: "Annotations that say where each object came from.",
  ignore: "Fields that Flux leaves alone when it corrects drift.",
  "ignore.paths": "JSON pointers to the fields, such as /spec/replicas.",
  ...below("ignore", target),
};

const GitRepository = {
  ...source,
  url: "URL of the repository: http, https or ssh.",
  ref: "What to check out; the branch master unless set.",
  "ref.branch": "Branch to follow.",
  "ref.tag": "Tag to check out.",
  "ref.semver": "Range of versions; the newest tag in it is checked out.",
  "ref.name": "Full name of a reference, such as refs/pull/420/head.",
  "ref.commit": "Commit to check out; with a branch, only that branch is fetched.",
  provider: "How to authenticate; generic takes what the Secret holds.",
  verify: "Accepts only signed commits or tags.",
  "verify.mode": "Whether the commit, the tag or both must be signed.",
  "verify.secretRef": "Secret with the public keys of trusted authors.",
  recurseSubmodules: "Fetches submodules too.",
  include: "Content of other GitRepositories to put into this one.",
  "include.repository": "The other GitRepository.",
  "include.fromPath": "Folder of the other repository.",
  "include.toPath": "Folder here that it is put in.",
  sparseCheckout: "Folders to fetch; all of them unless set.",
};

const OCIRepository = {
  ...source,
  url: "Address of the artifact, such as oci://registry.example.com/fleet.",
  ref: "Which version to fetch; the tag latest unless set.",
  "ref.tag": "Tag to fetch.",
  "ref.digest": "Digest to fetch; wins over semver and tag.",
  "ref.semver": "Range of versions; the newest tag in it is fetched.",
  "ref.semverFilter": "Regular expression that tags must match before the range is applied.",
  layerSelector: "Which layer of the artifact holds the manifests; the first unless set.",
  "layerSelector.mediaType": "Media type of the layer.",
  "layerSelector.operation": "extract unpacks the layer, copy keeps it as it is.",
  provider: "How to authenticate; generic takes what the Secret holds.",
  certSecretRef: "Secret with `ca.crt`, or `tls.crt` and `tls.key`, for the registry.",
  insecure: "Fetches over plain HTTP.",
  verify: "Accepts only signed artifacts.",
  "verify.provider": "The tool that signed them.",
  "verify.secretRef": "Secret with trusted public keys.",
  "verify.trustedRootSecretRef": "Secret with a trusted root of one's own Sigstore.",
  "verify.matchOIDCIdentity": "Identities whose keyless signatures are trusted.",
  "verify.matchOIDCIdentity.issuer": "Regular expression for the issuer.",
  "verify.matchOIDCIdentity.subject": "Regular expression for the subject.",
};

const Bucket = {
  ...source,
  bucketName: "Name of the bucket.",
  endpoint: "Host of the storage service, with a port where needed and without a scheme.",
  provider: "Storage service; generic is any that speaks the S3 protocol.",
  region: "Region of the bucket.",
  prefix: "Fetches only objects whose names start with this.",
  certSecretRef: "Secret with `ca.crt`, or `tls.crt` and `tls.key`, for the service.",
  insecure: "Fetches over plain HTTP.",
  sts: "Token service that gives out short-lived credentials.",
  "sts.provider": "Kind of token service.",
  "sts.endpoint": "URL of the token service.",
  "sts.secretRef": "Secret with the credentials for the token service.",
  "sts.certSecretRef": "Secret with the certificates for the token service.",
};

const ExternalArtifact = {
  sourceRef: "The object that makes the artifact.",
  "sourceRef.apiVersion": "API version of the object.",
  "sourceRef.kind": "Kind of the object.",
  "sourceRef.name": "Name of the object.",
  "sourceRef.namespace": "Namespace of the object; the same one unless set.",
};

const Provider = {
  type: "Service that the messages go to.",
  address: "URL of the service. Put one that holds a token into the Secret as `address`.",
  channel: "Channel or room for the messages.",
  username: "Name that the messages are posted under.",
  secretRef: "Secret with `address`, `token` or what else the service asks for.",
  certSecretRef: "Secret with `ca.crt`, or `tls.crt` and `tls.key`, for the service.",
  proxySecretRef: "Secret with `address` and, where needed, `username` and `password` of a proxy.",
  proxy: "URL of a proxy. Old: write proxySecretRef.",
  serviceAccountName: "Service account whose cloud identity is used.",
  commitStatusExpr: "CEL expression for the name of a commit status.",
  interval: "Of no effect any more.",
  timeout: "Limit for sending one message, with the units ms, s and m.",
  suspend: "Sends nothing.",
};

const Alert = {
  providerRef: "Provider that sends the messages.",
  eventSources: "Objects whose events are sent.",
  "eventSources.apiVersion": "API version of the objects.",
  "eventSources.kind": "Kind of the objects.",
  "eventSources.name": "Name of the object, or * for all.",
  "eventSources.namespace": "Namespace of the objects; the same one unless set.",
  "eventSources.matchLabels": "Labels of the objects, when the name is *.",
  eventSeverity: "info sends everything, error only failures.",
  eventMetadata: "Values to add to every message, such as the name of the cluster.",
  inclusionList: "Regular expressions; only messages that match one are sent.",
  exclusionList: "Regular expressions; messages that match one are not sent.",
  summary: "Sentence to add to every message. Old: write it into eventMetadata.",
  suspend: "Sends nothing.",
};

/** Descriptions by kind and path; every field at the top of a spec has one. */
export const descriptions: Readonly<Record<CrdKind, Readonly<Record<string, string>>>> = {
  Kustomization,
  GitRepository,
  OCIRepository,
  Bucket,
  ExternalArtifact,
  Provider,
  Alert,
};

function below(path: string, fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${path}.${name}`, text]));
}

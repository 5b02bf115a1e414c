import { type Cluster, type PlainMap, type Source, fluxNamespace } from "../fleet/model.ts";
import { ordered } from "./ordered.ts";
import { repositorySecretName } from "./repositorySecret.ts";
import type { YamlMap } from "./yaml.ts";

export const sourceApiVersion = "source.toolkit.fluxcd.io/v1";

/** Fields of the spec of each kind, in the order of Flux's documentation. */
export const sourceFields: Readonly<Record<Source["kind"], readonly string[]>> = {
  GitRepository: [
    "url",
    "secretRef",
    "provider",
    "serviceAccountName",
    "interval",
    "timeout",
    "ref",
    "verify",
    "ignore",
    "sparseCheckout",
    "suspend",
    "proxySecretRef",
    "recurseSubmodules",
    "include",
  ],
  OCIRepository: [
    "url",
    "provider",
    "secretRef",
    "serviceAccountName",
    "certSecretRef",
    "proxySecretRef",
    "insecure",
    "interval",
    "timeout",
    "ref",
    "layerSelector",
    "ignore",
    "verify",
    "suspend",
  ],
  Bucket: [
    "provider",
    "interval",
    "endpoint",
    "sts",
    "bucketName",
    "region",
    "certSecretRef",
    "proxySecretRef",
    "insecure",
    "timeout",
    "secretRef",
    "serviceAccountName",
    "prefix",
    "ignore",
    "suspend",
  ],
};

/**
 * The GitRepository, OCIRepository or Bucket of a source. One that is the fleet's own repository gets the credentials
 * that the cluster reads it with, unless it states credentials or a provider of its own.
 */
export function renderSource(
  source: Source,
  cluster: Pick<Cluster, "config" | "platform">,
  isPrivate = false,
): YamlMap {
  const { spec } = source;
  return {
    apiVersion: sourceApiVersion,
    kind: source.kind,
    metadata: { name: source.name, namespace: fluxNamespace },
    spec: ordered(
      {
        ...spec,
        secretRef: spec["secretRef"] ?? (isPrivate && takesSecret(source) ? secretRef(cluster) : undefined),
        suspend: spec["suspend"] === true ? true : undefined,
      },
      sourceFields[source.kind],
    ),
  };
}

function takesSecret({ self, spec }: Source): boolean {
  const provider = spec["provider"];
  return self && (provider === undefined || provider === "generic");
}

function secretRef(cluster: Pick<Cluster, "config" | "platform">): PlainMap {
  return { name: repositorySecretName(cluster) };
}

import { asList, asMap, asText, defined, type YamlMap } from "../../values/maps.ts";
import type { ImportedObject } from "../documents.ts";

/** What a Flux configuration of Azure is on a cluster. */
export interface FromConfiguration {
  readonly name: string;
  readonly namespace: string;
  /** Spec of the source, by Flux's own names; undefined for a kind that Flux has no object of. */
  readonly source: ImportedObject | undefined;
  readonly kustomizations: readonly ImportedObject[];
}

const sourceFields = {
  GitRepository: "gitRepository",
  Bucket: "bucket",
  OCIRepository: "ociRepository",
} as const;

/** Azure fills these in. */
const defaultSeconds = 600;

/**
 * The objects that Azure makes of a Flux configuration: its source under its own name, and each Kustomization under
 * `<configuration>-<name>`, all in one namespace and applied as flux-applier of it.
 */
export function objectsOfConfiguration(name: string, properties: YamlMap): FromConfiguration {
  const namespace = asText(properties["namespace"]) ?? "default";
  const kind = asText(properties["sourceKind"]) ?? "GitRepository";
  const stops = properties["suspend"] === true;
  const kustomizations = Object.entries(asMap(properties["kustomizations"])).map(([key, entry]) =>
    object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", `${name}-${key}`, {
      ...kustomization(asMap(entry), name),
      sourceRef: { kind: kind === "AzureBlob" ? "Bucket" : kind, name },
      ...(stops && { suspend: true }),
    }),
  );
  const isKnown = Object.hasOwn(sourceFields, kind);
  const spec = asMap(properties[sourceFields[kind as keyof typeof sourceFields]]);
  const source = isKnown
    ? object("source.toolkit.fluxcd.io/v1", kind, name, sourceSpec(spec, kind, name))
    : undefined;
  return { name, namespace, source, kustomizations };

  function object(apiVersion: string, kind: string, called: string, spec: YamlMap): ImportedObject {
    const value = { apiVersion, kind, metadata: { name: called, namespace }, spec: defined(spec) };
    return { file: "", apiVersion, kind, value, sourceAt: () => undefined };
  }
}

function kustomization(entry: YamlMap, configuration: string): YamlMap {
  const { path, syncIntervalInSeconds, timeoutInSeconds, retryIntervalInSeconds, postBuild } = entry;
  const after = asList(entry["dependsOn"]).map((name) => ({ name: `${configuration}-${String(name)}` }));
  const isTrue = (key: string): true | undefined => (entry[key] === true ? true : undefined);
  return {
    path: asText(path) ?? "./",
    interval: duration(syncIntervalInSeconds) ?? duration(defaultSeconds),
    timeout: duration(timeoutInSeconds) ?? duration(defaultSeconds),
    retryInterval: duration(retryIntervalInSeconds),
    prune: entry["prune"] === true,
    force: isTrue("force"),
    // Azure waits unless it is told not to.
    wait: entry["wait"] === false ? undefined : true,
    dependsOn: after.length > 0 ? after : undefined,
    postBuild: Object.keys(asMap(postBuild)).length > 0 ? asMap(postBuild) : undefined,
    serviceAccountName: "flux-applier",
  };
}

function sourceSpec(fields: YamlMap, kind: string, name: string): YamlMap {
  const { url, bucketName, insecure, repositoryRef, syncIntervalInSeconds, timeoutInSeconds } = fields;
  const timing = {
    interval: duration(syncIntervalInSeconds) ?? duration(defaultSeconds),
    timeout: duration(timeoutInSeconds),
  };
  if (kind === "Bucket")
    return { endpoint: url, bucketName, insecure: insecure === true ? true : undefined, ...timing };
  const ref = defined({ ...asMap(repositoryRef) });
  const secret = asText(fields["localAuthRef"]) ?? (hasAuth(fields) ? `${name}-auth` : undefined);
  return {
    url,
    ref: Object.keys(ref).length > 0 ? ref : undefined,
    ...timing,
    secretRef: secret === undefined ? undefined : { name: secret },
  };
}

/** Whether Azure makes a Secret with credentials: it gives no more away than who signs in. */
function hasAuth({ url, httpsUser, sshKnownHosts }: YamlMap): boolean {
  return (
    asText(httpsUser) !== undefined ||
    asText(sshKnownHosts) !== undefined ||
    /^(ssh:|git@)/.test(asText(url) ?? "")
  );
}

/** `10m` for 600 seconds. */
function duration(value: unknown): string | undefined {
  if (typeof value !== "number" || value <= 0) return undefined;
  if (value % 3600 === 0) return `${value / 3600}h`;
  return value % 60 === 0 ? `${value / 60}m` : `${value}s`;
}

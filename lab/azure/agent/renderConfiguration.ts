import type { KubernetesObject } from "../../cluster/clusterApi.ts";
import type { AgentConfiguration } from "../http/agentProtocol.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";

/** What a Flux configuration is on the cluster. */
export interface RenderedConfiguration {
  readonly repository: KubernetesObject;
  readonly kustomizations: readonly KubernetesObject[];
  /** The credentials, when it has any and they are known. */
  readonly secret?: KubernetesObject;
}

/** Labels of all that Azure makes. */
export const managedLabel = "clusterconfig.azure.com/is-managed";
export const nameLabel = "clusterconfig.azure.com/name";
export const operationLabel = "clusterconfig.azure.com/operation-id";

/** The service account that Flux applies as under multi-tenancy lockdown. */
export const applier = "flux-applier";

/** The namespace of a configuration's objects. */
export function namespaceOf({ properties }: AgentConfiguration): string {
  return typeof properties["namespace"] === "string" ? properties["namespace"] : "default";
}

export function secretName(configuration: string): string {
  return `${configuration}-protected-parameters`;
}

export function kustomizationName(configuration: string, key: string): string {
  return `${configuration}-${key}`;
}

/** Whether a configuration has credentials of its own that go into a secret. */
export function needsSecret({ properties, protectedKeys }: AgentConfiguration): boolean {
  const git = asObject(properties["gitRepository"]);
  return protectedKeys.length > 0 || isText(git["httpsCACert"]) || isText(git["sshKnownHosts"]);
}

/** Renders a configuration with a GitRepository as Azure's agents do. */
export function renderConfiguration(
  configuration: AgentConfiguration,
  { lockdown }: { readonly lockdown: boolean },
): RenderedConfiguration {
  const { name, operationId, properties } = configuration;
  const namespace = namespaceOf(configuration);
  const metadata = (objectName: string): KubernetesObject["metadata"] => ({
    name: objectName,
    namespace,
    labels: {
      [managedLabel]: "true",
      [nameLabel]: name,
      "clusterconfig.azure.com/namespace": namespace,
      [operationLabel]: operationId,
    },
  });
  const suspend = properties["suspend"] === true;
  const git = asObject(properties["gitRepository"]);
  const secret = needsSecret(configuration) ? secretData(configuration, git) : undefined;
  const kustomizations = Object.entries(asObject(properties["kustomizations"])).map(([key, value]) => ({
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: metadata(kustomizationName(name, key)),
    spec: {
      ...kustomizationSpec(name, namespace, asObject(value)),
      suspend,
      sourceRef: { kind: "GitRepository", name, namespace },
      ...(lockdown && { serviceAccountName: applier }),
    },
  }));
  return {
    repository: {
      apiVersion: "source.toolkit.fluxcd.io/v1",
      kind: "GitRepository",
      metadata: metadata(name),
      spec: { ...repositorySpec(git, secretRef(configuration, git)), suspend },
    },
    kustomizations,
    ...(secret !== undefined && {
      secret: {
        apiVersion: "v1",
        kind: "Secret",
        metadata: metadata(secretName(name)),
        type: "Opaque",
        data: secret,
      },
    }),
  };
}

function repositorySpec(git: Json, secret: string | undefined): Json {
  const ref = Object.entries(asObject(git["repositoryRef"])).filter(([, value]) => isText(value));
  return {
    url: fluxUrl(String(git["url"])),
    interval: goDuration(git["syncIntervalInSeconds"]),
    // No hours here: Flux takes them everywhere but in this field.
    timeout: `${String(git["timeoutInSeconds"])}s`,
    ref: Object.fromEntries(ref),
    ...(secret !== undefined && { secretRef: { name: secret } }),
  };
}

function kustomizationSpec(configuration: string, namespace: string, given: Json): Json {
  const dependsOn = (Array.isArray(given["dependsOn"]) ? given["dependsOn"] : []).map((key) => ({
    name: kustomizationName(configuration, String(key)),
    namespace,
  }));
  const retry = given["retryIntervalInSeconds"];
  const { substitute, substituteFrom } = asObject(given["postBuild"]);
  const postBuild = {
    ...(substitute != null && { substitute }),
    ...(substituteFrom != null && { substituteFrom }),
  };
  return {
    path: given["path"],
    interval: goDuration(given["syncIntervalInSeconds"]),
    timeout: goDuration(given["timeoutInSeconds"]),
    ...(typeof retry === "number" && { retryInterval: goDuration(retry) }),
    prune: given["prune"] === true,
    force: given["force"] === true,
    wait: given["wait"] === true,
    ...(dependsOn.length > 0 && { dependsOn }),
    ...(Object.keys(postBuild).length > 0 && { postBuild }),
  };
}

function secretRef(configuration: AgentConfiguration, git: Json): string | undefined {
  if (isText(git["localAuthRef"])) return git["localAuthRef"];
  return needsSecret(configuration) ? secretName(configuration.name) : undefined;
}

/** Base64 values by key of the secret; undefined when some are lost. */
function secretData(
  { protectedKeys, protectedSettings = {} }: AgentConfiguration,
  git: Json,
): Record<string, string> | undefined {
  if (protectedKeys.some((key) => protectedSettings[key] === undefined)) return undefined;
  const { httpsKey, sshPrivateKey } = protectedSettings;
  const { httpsUser, httpsCACert, sshKnownHosts } = git;
  return {
    ...(isText(httpsUser) && { username: Buffer.from(httpsUser).toString("base64") }),
    ...(httpsKey !== undefined && { password: httpsKey }),
    ...(isText(httpsCACert) && { caFile: httpsCACert }),
    ...(sshPrivateKey !== undefined && { identity: sshPrivateKey }),
    ...(isText(sshKnownHosts) && { known_hosts: sshKnownHosts }),
  };
}

/** `git@host:path` in the form that Flux takes. */
function fluxUrl(url: string): string {
  const [, host, path] = /^(git@[^:/]+):(.*)$/.exec(url) ?? [];
  return host === undefined ? url : `ssh://${host}/${path}`;
}

/** Seconds as Go writes a duration: 600 is `10m0s`. */
export function goDuration(value: unknown): string {
  const seconds = typeof value === "number" ? value : 600;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : "";
  return `${parts}${seconds % 60}s`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

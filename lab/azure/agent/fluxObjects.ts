import type { KubernetesObject } from "../../cluster/clusterApi.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import type { FluxConfiguration } from "./agentApi.ts";

export const kustomizationApi = "kustomize.toolkit.fluxcd.io/v1";
export const sourceApi = "source.toolkit.fluxcd.io/v1";

/** The service account that lockdown has Kustomizations run as; in the namespace of each configuration. */
export const applier = "flux-applier";

/** What Azure's agent makes on a cluster for a Flux configuration, in the order to make it. */
export function fluxObjects(
  configuration: FluxConfiguration,
  { lockdown }: { lockdown: boolean },
): KubernetesObject[] {
  const secret = authSecret(configuration);
  return [
    ...namespaceObjects(configuration, lockdown),
    ...(secret ? [secret] : []),
    gitRepository(configuration, secret !== undefined),
    ...Object.keys(asObject(configuration.properties["kustomizations"])).map((key) =>
      kustomization(configuration, key, lockdown),
    ),
  ];
}

/** Name on the cluster of a Kustomization of a configuration. */
export function kustomizationName(configuration: string, key: string): string {
  return `${configuration}-${key}`;
}

/** The labels by which Azure's agent knows what it has made. */
export function managedLabels({ name, properties, generation }: FluxConfiguration): Record<string, string> {
  return {
    "clusterconfig.azure.com/is-managed": "true",
    "clusterconfig.azure.com/name": name,
    "clusterconfig.azure.com/namespace": namespaceOf(properties),
    "clusterconfig.azure.com/operation-id": String(generation),
  };
}

export function namespaceOf(properties: Json): string {
  return String(properties["namespace"]);
}

function namespaceObjects({ properties }: FluxConfiguration, lockdown: boolean): KubernetesObject[] {
  const namespace = namespaceOf(properties);
  const objects = [{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }];
  if (!lockdown) return objects;
  const account = { kind: "ServiceAccount", name: applier, namespace };
  const wide = properties["scope"] !== "namespace";
  const role = {
    apiGroup: "rbac.authorization.k8s.io",
    kind: "ClusterRole",
    name: wide ? "cluster-admin" : "admin",
  };
  return [
    ...objects,
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: applier, namespace } },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: wide ? "ClusterRoleBinding" : "RoleBinding",
      metadata: wide ? { name: `${applier}-${namespace}` } : { name: applier, namespace },
      roleRef: role,
      subjects: [account],
    },
  ];
}

function metadata(configuration: FluxConfiguration, name: string): KubernetesObject["metadata"] {
  return { name, namespace: namespaceOf(configuration.properties), labels: managedLabels(configuration) };
}

function gitRepository(configuration: FluxConfiguration, withSecret: boolean): KubernetesObject {
  const git = asObject(configuration.properties["gitRepository"]);
  const ref = Object.entries(asObject(git["repositoryRef"])).filter(([, value]) => typeof value === "string");
  const secret = withSecret ? secretName(configuration.name) : git["localAuthRef"];
  return {
    apiVersion: sourceApi,
    kind: "GitRepository",
    metadata: metadata(configuration, configuration.name),
    spec: {
      url: git["url"],
      ref: Object.fromEntries(ref),
      interval: seconds(git["syncIntervalInSeconds"]),
      timeout: seconds(git["timeoutInSeconds"]),
      suspend: configuration.properties["suspend"] === true,
      ...(typeof secret === "string" && { secretRef: { name: secret } }),
    },
  };
}

function kustomization(configuration: FluxConfiguration, key: string, lockdown: boolean): KubernetesObject {
  const { name, properties } = configuration;
  const given = asObject(asObject(properties["kustomizations"])[key]);
  const dependsOn = Array.isArray(given["dependsOn"]) ? (given["dependsOn"] as unknown[]) : [];
  const retry = given["retryIntervalInSeconds"];
  const postBuild = asObject(given["postBuild"]);
  return {
    apiVersion: kustomizationApi,
    kind: "Kustomization",
    metadata: metadata(configuration, kustomizationName(name, key)),
    spec: {
      path: given["path"] ?? "",
      sourceRef: { kind: "GitRepository", name, namespace: namespaceOf(properties) },
      interval: seconds(given["syncIntervalInSeconds"]),
      timeout: seconds(given["timeoutInSeconds"]),
      ...(typeof retry === "number" && { retryInterval: seconds(retry) }),
      prune: given["prune"] === true,
      force: given["force"] === true,
      wait: given["wait"] !== false,
      suspend: properties["suspend"] === true,
      ...(dependsOn.length > 0 && {
        dependsOn: dependsOn.map((other) => ({ name: kustomizationName(name, String(other)) })),
      }),
      ...(Object.keys(postBuild).length > 0 && { postBuild }),
      ...(lockdown && { serviceAccountName: applier }),
    },
  };
}

/** Seen in public samples; Microsoft documents no name. */
export function secretName(configuration: string): string {
  return `${configuration}-protected-parameters`;
}

/** The credentials of the source, under the names that Flux reads; undefined where there are none. */
function authSecret(configuration: FluxConfiguration): KubernetesObject | undefined {
  const git = asObject(configuration.properties["gitRepository"]);
  const { httpsKey, sshPrivateKey } = configuration.protectedSettings ?? {};
  // All but the user are base64 already, as a Secret wants them.
  const data = {
    username:
      typeof git["httpsUser"] === "string" ? Buffer.from(git["httpsUser"]).toString("base64") : undefined,
    password: httpsKey,
    identity: sshPrivateKey,
    known_hosts: git["sshKnownHosts"],
    "ca.crt": git["httpsCACert"],
  };
  const given = Object.entries(data).filter(([, value]) => typeof value === "string" && value !== "");
  if (given.length === 0) return undefined;
  return {
    apiVersion: "v1",
    kind: "Secret",
    type: "Opaque",
    metadata: metadata(configuration, secretName(configuration.name)),
    data: Object.fromEntries(given),
  };
}

function seconds(value: unknown): string {
  return `${typeof value === "number" ? value : 600}s`;
}

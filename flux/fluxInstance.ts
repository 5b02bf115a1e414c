import { fluxNamespace } from "../fleet/model.ts";
import { asMap, asText, type YamlMap } from "../values/maps.ts";

/** API group of flux-operator. */
export const fluxInstanceGroup = "fluxcd.controlplane.io";

/** The label that flux-operator gives to what it installs: the name of its FluxInstance. */
export const fluxInstanceLabel = `${fluxInstanceGroup}/name`;

/** What flux-operator makes of a FluxInstance that syncs: a source, and a Kustomization of the same name. */
export interface InstanceSync {
  readonly kind: "GitRepository" | "OCIRepository";
  readonly name: string;
  /** Spec of the source; of a GitRepository with the branch that it follows by its short name. */
  readonly source: YamlMap;
  /** Spec of the Kustomization. */
  readonly spec: YamlMap;
}

/** Of the spec of a FluxInstance; undefined where it syncs nothing, or a Bucket. */
export function instanceSync(spec: YamlMap, namespace: string | undefined): InstanceSync | undefined {
  const sync = asMap(spec["sync"]);
  const { kind } = sync;
  if (kind !== "GitRepository" && kind !== "OCIRepository") return undefined;
  const name = asText(sync["name"]) ?? (namespace || fluxNamespace);
  const stated = asText(sync["ref"]);
  const branch = stated?.match(/^refs\/heads\/(.+)$/)?.[1];
  const ref = kind === "GitRepository" ? branch && { branch } : stated && { tag: stated };
  const provider = asText(sync["provider"]);
  const secret = asText(sync["pullSecret"]);
  return {
    kind,
    name,
    source: {
      url: asText(sync["url"]) ?? "",
      interval: asText(sync["interval"]) ?? "1m",
      ...(ref && { ref }),
      ...(provider !== undefined && { provider }),
      ...(secret !== undefined && { secretRef: { name: secret } }),
    },
    spec: {
      interval: "10m",
      prune: true,
      path: asText(sync["path"]) ?? "./",
      sourceRef: { kind, name },
      // With it the operator starts Flux with lockdown, where the root needs an account with all rights.
      ...(asMap(spec["cluster"])["multitenant"] === true && { serviceAccountName: "kustomize-controller" }),
    },
  };
}

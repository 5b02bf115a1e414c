import { fluxNamespace } from "../fleet/model.ts";
import { asMap, asText, type YamlMap } from "../values/maps.ts";

/** API group of flux-operator. */
export const fluxInstanceGroup = "fluxcd.controlplane.io";

/** What flux-operator makes of a FluxInstance that syncs a GitRepository: that, and a Kustomization of the same name. */
export interface InstanceSync {
  readonly name: string;
  /** Spec of the GitRepository, with the branch that it follows by its short name. */
  readonly source: YamlMap;
  /** Spec of the Kustomization. */
  readonly spec: YamlMap;
}

/** Of the spec of a FluxInstance; undefined where it syncs nothing, or from elsewhere than Git. */
export function instanceSync(spec: YamlMap, namespace: string | undefined): InstanceSync | undefined {
  const sync = asMap(spec["sync"]);
  if (sync["kind"] !== "GitRepository") return undefined;
  const name = asText(sync["name"]) ?? (namespace || fluxNamespace);
  const branch = asText(sync["ref"])?.match(/^refs\/heads\/(.+)$/)?.[1];
  const secret = asText(sync["pullSecret"]);
  return {
    name,
    source: {
      url: asText(sync["url"]) ?? "",
      interval: asText(sync["interval"]) ?? "1m",
      ...(branch !== undefined && { ref: { branch } }),
      ...(secret !== undefined && { secretRef: { name: secret } }),
    },
    spec: {
      interval: "10m",
      prune: true,
      path: asText(sync["path"]) ?? "./",
      sourceRef: { kind: "GitRepository", name },
    },
  };
}

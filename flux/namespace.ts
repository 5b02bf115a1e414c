import type { YamlMap } from "./yaml.ts";

/** Made where it is not there yet, so that what lies in it can come before whatever brings it; never touched after. */
export function neededNamespace(name: string): YamlMap {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name,
      annotations: {
        "kustomize.toolkit.fluxcd.io/prune": "disabled",
        "kustomize.toolkit.fluxcd.io/ssa": "IfNotPresent",
      },
    },
  };
}

import type { ClusterSet } from "../fleet/model.ts";
import { ownPrefix } from "../fleet/ownVariables.ts";

/** A small real workload for a set, as an application team would commit it: path in the repository to content. */
export function manifestsOf(set: ClusterSet): Record<string, string> {
  const { substitute = {} } = (set.spec["postBuild"] ?? {}) as { substitute?: object };
  const folder = set.spec.path.replace(/^\.\//, "");
  return {
    [`${folder}/kustomization.yaml`]: [
      "apiVersion: kustomize.config.k8s.io/v1beta1",
      "kind: Kustomization",
      "resources:",
      "  - namespace.yaml",
      "  - settings.yaml",
      "",
    ].join("\n"),
    [`${folder}/namespace.yaml`]: [
      "apiVersion: v1",
      "kind: Namespace",
      "metadata:",
      `  name: ${set.name}`,
      "",
    ].join("\n"),
    [`${folder}/settings.yaml`]: [
      "apiVersion: v1",
      "kind: ConfigMap",
      "metadata:",
      "  name: settings",
      `  namespace: ${set.name}`,
      "data:",
      // Flux puts the variables of the fleet file in here. In a text: Kustomize takes the quotes of a lone "${name}" away,
      // and what Flux then puts there is read as YAML, 0042 as a number.
      `  variables: "${Object.keys(substitute)
        .filter((name) => !name.startsWith(ownPrefix))
        .map((name) => `${name}=\${${name}}`)
        .join(" ")}"`,
      `  set: ${set.name}`,
      "",
    ].join("\n"),
  };
}

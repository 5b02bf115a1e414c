import type { Cluster } from "../fleet/model.ts";
import { asMap, asText, type YamlMap } from "../values/maps.ts";
import type { InAzure } from "./azure.ts";

/** Where the controllers come from. */
export type WhichFlux =
  | { readonly by: "extension" | "flux-operator" | "flux bootstrap" | "nobody"; readonly refused?: undefined }
  | { readonly by: "flux bootstrap" | "flux-operator" | "extension"; readonly refused: string };

/**
 * Which Flux runs on a cluster, and why that cannot become what the fleet file says. On `platform: kubernetes` it stays; on
 * Azure Arc it must be the extension's. `controllers`: Deployments of flux-system.
 */
export function whichFlux(
  { name, platform, config }: Pick<Cluster, "name" | "platform" | "config">,
  {
    controllers,
    instances,
    azure,
  }: {
    readonly controllers: readonly YamlMap[];
    readonly instances: readonly YamlMap[];
    readonly azure?: InAzure;
  },
): WhichFlux {
  const names = controllers.map((one) => asText(asMap(one["metadata"])["name"]));
  const isHere = names.includes("kustomize-controller");
  const own = instances.length > 0 ? "flux-operator" : "flux bootstrap";
  if (platform === "arc") {
    if (azure?.taken !== undefined)
      return {
        by: "extension",
        refused:
          `Azure has a configuration ${config} of ${name} already, in ${azure.taken} and with other content, and moves none to ` +
          "another namespace. Write another `config` in the fleet file.",
      };
    if (azure?.hasExtension === true) return { by: "extension" };
    if (!isHere && instances.length === 0) return { by: "nobody" };
    return {
      by: own,
      refused:
        `${name} is on Azure Arc, and its controllers are those of ${own}. The extension installs controllers and CRDs of its ` +
        "own, and Microsoft documents no handover (learn.microsoft.com/azure/azure-arc/kubernetes/conceptual-gitops-flux2). " +
        "Write platform: kubernetes and keep that Flux.",
    };
  }
  if (names.includes("fluxconfig-agent"))
    return {
      by: "extension",
      refused: `Azure's extension runs Flux on ${name}. Write platform: arc with its resourceGroup, and call again.`,
    };
  return { by: isHere || instances.length > 0 ? own : "nobody" };
}

import type { PolicyResource, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import { checkEachKnown, isUnknownValue } from "../../checkEachKnown.ts";
import { inputsOf, rememberInputs } from "../../registeredInputs.ts";
import { asText } from "../../plainValue.ts";
import { isExtension, isFluxConfiguration } from "../../resourceTypes.ts";

/** Without the extension a configuration fails, and on destroy it outlives it and is never deleted. */
export const waitsForExtension: ResourceValidationPolicy & StackValidationPolicy & { readonly why: string } =
  {
    name: "waits-for-extension",
    description: "A Flux configuration waits for the Flux extension of its cluster.",
    why: "One that comes first fails, and one that outlives the extension can never be deleted.",
    validateResource: rememberInputs,
    validateStack: ({ resources }, report) => {
      const extensionOf = extensionsByCluster(resources);
      checkEachKnown(
        resources
          .filter(({ type }) => isFluxConfiguration(type))
          .map((configuration) => ({
            about: `FluxConfiguration '${configuration.name}'`,
            check: () => {
              const own = extensionOf(clusterOf(configuration));
              // One that somebody else has installed is not in the stack.
              if (own === undefined || configuration.dependencies.some(({ urn }) => urn === own.urn)) return;
              report(
                `FluxConfiguration '${configuration.name}' does not depend on Extension '${own.name}' of its cluster; add dependsOn: [extension].`,
                configuration.urn,
              );
            },
          })),
      );
    },
  };

/** The extension of a cluster. Throws where it may be one whose cluster is not known yet. */
function extensionsByCluster(
  resources: readonly PolicyResource[],
): (cluster: string | undefined) => PolicyResource | undefined {
  const known = new Map<string | undefined, PolicyResource>();
  let hidden: Error | undefined;
  for (const extension of resources.filter(({ type }) => isExtension(type))) {
    try {
      known.set(clusterOf(extension), extension);
    } catch (error) {
      if (!isUnknownValue(error)) throw error;
      hidden = error;
    }
  }
  return (cluster) => {
    const own = cluster === undefined ? undefined : known.get(cluster);
    if (own === undefined && hidden !== undefined) throw hidden;
    return own;
  };
}

function clusterOf(resource: PolicyResource): string | undefined {
  return asText(inputsOf(resource)["clusterName"]);
}

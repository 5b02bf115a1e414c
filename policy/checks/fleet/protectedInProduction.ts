import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import { type About, isProduction, productionStages } from "../../about.ts";
import { clusterOfResource } from "../../exemptions.ts";
import { factsOfClusters, type Tell } from "../../fleetPolicy.ts";
import type { PlainMap } from "../../plainValue.ts";
import { rememberInputs } from "../../registeredInputs.ts";
import { isArcResource, isFluxInstall, isGitFiles } from "../../resourceTypes.ts";

/** Unprotected, a line less in a program deletes what runs in production. */
export const protectedInProduction: ResourceValidationPolicy & StackValidationPolicy & About = {
  name: "protected-in-production",
  description: "In production the files of a cluster, its resources in Azure and Flux on it are protected.",
  why: "Without protection, a cluster that vanishes from a program takes its workloads with it.",
  configSchema: { properties: { stages: productionStages } },
  validateResource: rememberInputs,
  validateStack: (args, report) => {
    const { resources } = args;
    const { stages } = args.getConfig<PlainMap>();
    const tell: Tell = report;
    const clusters = factsOfClusters(resources);
    for (const { type, name, urn, opts } of resources) {
      if (!isArcResource(type) && !isGitFiles(type) && !isFluxInstall(type)) continue;
      const cluster = clusterOfResource(name);
      const known = Object.hasOwn(clusters, cluster) ? clusters[cluster] : undefined;
      // One that is retired or lost loses its protection on purpose.
      if (opts.protect || known?.lifecycle !== undefined || !isProduction(known?.stage, stages)) continue;
      tell(
        `${type.slice(type.lastIndexOf(":") + 1)} '${name}' of cluster ${cluster} in stage '${known?.stage}' is not protected; set stack config arcflux:protect to true.`,
        urn,
        cluster,
      );
    }
  },
};

import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { FluxMinor } from "../../../values/fluxVersions.ts";
import type { About } from "../../about.ts";
import { checkEachKnown } from "../../checkEachKnown.ts";
import { eachCommittedFile } from "../../committedFiles.ts";
import { clusterOfResource } from "../../exemptions.ts";
import { factsOfClusters, type Tell } from "../../fleetPolicy.ts";
import { inputsOf, rememberInputs } from "../../registeredInputs.ts";
import { gitFilesType, isGitFiles } from "../../resourceTypes.ts";

const kinds = ["Kustomization", "GitRepository", "OCIRepository", "Bucket", "Provider", "Alert"] as const;
type Kind = (typeof kinds)[number];

/** A field that the version on the cluster does not have is passed over there, or stops the whole flux folder. */
export const fieldsFitVersion: ResourceValidationPolicy & StackValidationPolicy & About = {
  name: "fields-fit-version",
  onlyOf: gitFilesType,
  description: "Flux objects in committed files have only fields of the version that their cluster runs.",
  why: "The API server refuses an unknown field, and then nothing new of the flux folder is applied.",
  validateResource: rememberInputs,
  validateStack: async ({ resources }, report) => {
    const clusters = factsOfClusters(resources);
    if (Object.keys(clusters).length === 0) return;
    // Flux's schemas are much to read, which a start of the pack has no use for.
    const { isFluxMinor, validateSpec } = await import("../../../flux/crd/validate.ts");
    const tell: Tell = report;
    const seen = new Map<string, readonly string[]>();
    const faultsOf = (kind: Kind, version: FluxMinor, spec: object): readonly string[] => {
      const key = JSON.stringify([kind, version, spec]);
      const known =
        seen.get(key) ??
        validateSpec(kind, version, spec).map(({ path, message }) => `spec.${path.join(".")} ${message}`);
      seen.set(key, known);
      return known;
    };
    checkEachKnown(
      resources
        .filter(({ type }) => isGitFiles(type))
        .flatMap((files) => {
          const cluster = clusterOfResource(files.name);
          const version = Object.hasOwn(clusters, cluster) ? clusters[cluster]!.flux : "";
          if (!isFluxMinor(version)) return [];
          const inputs = inputsOf(files);
          return eachCommittedFile(inputs, ({ path, content, isPatch }) => {
            if ("fault" in content || isPatch()) return;
            for (const { kind, group, title, spec } of content.objects) {
              if (!group.endsWith(".toolkit.fluxcd.io") || !(kinds as readonly string[]).includes(kind))
                continue;
              for (const fault of faultsOf(kind as Kind, version, spec))
                tell(`GitFiles '${files.name}', file '${path}', ${title}: ${fault}`, files.urn, cluster);
            }
          });
        }),
    );
  },
};

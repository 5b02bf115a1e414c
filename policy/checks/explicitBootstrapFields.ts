import type { ResourceValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { checkEachKnown } from "../checkEachKnown.ts";
import { asMap, shown } from "../plainValue.ts";
import { isFluxConfiguration } from "../resourceTypes.ts";

const fields = {
  path: "string",
  timeoutInSeconds: "number",
  syncIntervalInSeconds: "number",
  retryIntervalInSeconds: "number",
  prune: "boolean",
  force: "boolean",
  wait: "boolean",
} as const;

/** What is left out gets Azure's defaults, which are not Flux's (prune false, wait true); the SDK adds none here. */
export const explicitBootstrapFields: ResourceValidationPolicy & About = {
  name: "explicit-bootstrap-fields",
  description:
    "Every field of a kustomization in a Flux configuration is given, none left to Azure's default.",
  why: "Azure's defaults are not Flux's (prune off, wait on), and the SDK adds none here.",
  validateResource: ({ type, name, props }, report) => {
    if (!isFluxConfiguration(type)) return;
    const kustomizations = asMap(props["kustomizations"]) ?? {};
    const steps = Object.keys(kustomizations).flatMap((key) =>
      Object.entries(fields).map(([field, wanted]) => ({
        about: `FluxConfiguration '${name}'`,
        check: () => {
          const value = asMap(kustomizations[key])?.[field];
          if (typeof value === wanted && value !== "") return;
          report(
            `FluxConfiguration '${name}': kustomizations.${key}.${field} is ${shown(value)}; a ${wanted} is needed. ` +
              "Set it: what is left out gets Azure's default, which is not Flux's.",
          );
        },
      })),
    );
    checkEachKnown(steps);
  },
};

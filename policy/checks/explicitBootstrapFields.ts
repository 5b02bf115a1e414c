import type { ResourceValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { checkEachKnown } from "../checkEachKnown.ts";
import { asMap, shown } from "../plainValue.ts";
import { isGiven, remediation } from "../remediation.ts";
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

/** What Arcflux writes where the fleet file says nothing; no path can be guessed. */
const defaults = {
  timeoutInSeconds: 300,
  syncIntervalInSeconds: 600,
  retryIntervalInSeconds: 120,
  prune: true,
  force: false,
  wait: false,
} as const satisfies Partial<Record<keyof typeof fields, unknown>>;

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
  remediateResource: remediation(isFluxConfiguration, (props) => {
    const kustomizations = asMap(props["kustomizations"]) ?? {};
    return Object.keys(kustomizations).flatMap((key) =>
      Object.entries(defaults)
        .filter(([field]) => !isGiven(asMap(kustomizations[key]) ?? {}, field))
        .map(([field, value]) => ({ path: ["kustomizations", key, field], value })),
    );
  }),
};

import type { ResourceValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { checkEachKnown } from "../checkEachKnown.ts";
import { shown } from "../plainValue.ts";
import { isFluxConfiguration } from "../resourceTypes.ts";

interface Config {
  readonly namespace?: string;
}

const scopes: readonly unknown[] = ["cluster", "namespace"];

/** Left out, the namespace becomes `default`; and neither field can be changed once the configuration exists. */
export const fluxNamespace: ResourceValidationPolicy & About = {
  name: "flux-namespace",
  description: "A Flux configuration lives in the namespace of Flux and states its scope.",
  why: "Left out, the namespace is default, and neither can be changed without replacing the configuration.",
  configSchema: { properties: { namespace: { type: "string", minLength: 1, default: "flux-system" } } },
  validateResource: (args, report) => {
    const { type, name, props } = args;
    if (!isFluxConfiguration(type)) return;
    const { namespace: wanted = "flux-system" } = args.getConfig<Config>();
    const checkNamespace = (): void => {
      const namespace: unknown = props["namespace"];
      if (namespace === wanted) return;
      report(
        `FluxConfiguration '${name}': namespace is ${shown(namespace)}; allowed is '${wanted}'. ` +
          `Set namespace to '${wanted}'. On an existing configuration this replaces it.`,
      );
    };
    const checkScope = (): void => {
      const scope: unknown = props["scope"];
      if (scopes.includes(scope)) return;
      report(
        `FluxConfiguration '${name}': scope is ${shown(scope)}; allowed are 'cluster' and 'namespace'. ` +
          "Set it to 'cluster' unless the configuration is to reach its own namespace only.",
      );
    };
    const about = `FluxConfiguration '${name}'`;
    checkEachKnown([checkNamespace, checkScope].map((check) => ({ about, check })));
  },
};

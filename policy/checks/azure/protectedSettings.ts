import { Secret } from "@pulumi/policy";

import { plainTextSecret } from "../../../values/plainTextSecret.ts";
import { resourcePolicy } from "../../azurePolicy.ts";
import { asMap } from "../../plainValue.ts";
import { isExtension, isFluxConfiguration } from "../../resourceTypes.ts";

const field = "configurationProtectedSettings";

/** Settings are shown to whoever may read the resource; protected ones to nobody. */
export const protectedSettings = resourcePolicy({
  name: "protected-settings",
  description: "Secrets of extensions and configurations are protected settings, and secret in the state.",
  why: "Whoever may read the resource in Azure reads its settings, and whoever has the state reads both.",
  of: (type) => isExtension(type) || isFluxConfiguration(type),
  checks: [
    ({ props }) => {
      const settings = asMap(props["configurationSettings"]) ?? {};
      const held = Object.keys(settings).filter(
        (name) => plainTextSecret(name, settings[name]) !== undefined,
      );
      if (held.length === 0) return undefined;
      return `configurationSettings hold ${held.map((name) => `'${name}'`).join(", ")}, by name or value a secret; move that to ${field}, and replace it.`;
    },
  ],
  // A pack sees no difference between a secret and plain text; at the level `remediate` it makes sure of it.
  remediate: (props) => {
    const settings = asMap(props[field]);
    if (settings === undefined || Object.keys(settings).length === 0) return [];
    const secrets = Object.entries(settings).map(([name, value]) => [name, new Secret(value)] as const);
    return [{ path: [field], value: Object.fromEntries(secrets), anew: true }];
  },
});

import { resourcePolicy } from "../../azurePolicy.ts";
import { asMap, shown } from "../../plainValue.ts";
import { isExtension } from "../../resourceTypes.ts";

/** Without it, whoever may write one namespace has the whole cluster by a Kustomization there. */
export const lockdownOn = resourcePolicy({
  name: "lockdown-on",
  description: "The Flux extension runs with multi-tenancy lockdown.",
  why: "Without it, whoever may write to one namespace has the whole cluster by a Kustomization there.",
  of: isExtension,
  checks: [
    ({ props }) => {
      if (props["extensionType"] !== "microsoft.flux") return undefined;
      const enforced = asMap(props["configurationSettings"])?.["multiTenancy.enforce"];
      // Azure's own default is on.
      if (enforced === undefined || enforced === "true" || enforced === true) return undefined;
      return `configurationSettings.multiTenancy.enforce is ${shown(enforced)}; write flux: { lockdown: true } in the fleet file.`;
    },
  ],
});

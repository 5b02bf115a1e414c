import { asMap, asText } from "../../../values/maps.ts";
import { filePolicy } from "../../filePolicy.ts";

const reason = "arcflux.io/force-reason";

/** `force` deletes an object whose change is refused, and makes it anew: a volume claim with what is in it. */
export const forceNeedsReason = filePolicy({
  name: "force-needs-reason",
  description: "A Kustomization or HelmRelease with force says why.",
  why: "With force Flux deletes an object whose change is refused and makes it anew, a volume claim with its data.",
  check: ({ kind, group, spec, whole }) => {
    if (!group.endsWith(".toolkit.fluxcd.io") || !["Kustomization", "HelmRelease"].includes(kind))
      return undefined;
    const annotations = asMap(asMap(whole["metadata"])["annotations"]);
    if (spec["force"] !== true && asMap(spec["upgrade"])["force"] !== true) return undefined;
    if (asText(annotations[reason]) !== undefined) return undefined;
    return `force is true without a reason; take it out, or write the annotation ${reason} on the set.`;
  },
});

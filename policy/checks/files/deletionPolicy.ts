import { isProduction, listed, productionStages, texts } from "../../about.ts";
import { filePolicy } from "../../filePolicy.ts";
import { shown } from "../../plainValue.ts";

const allowed = ["Orphan", "MirrorPrune", "Delete", "WaitForTermination"] as const;

/** What becomes of running workloads when a set goes should be a decision. */
export const deletionPolicy = filePolicy({
  name: "deletion-policy",
  description: "In production a Kustomization states its deletionPolicy.",
  why: "Left out, what the set applied is deleted with it; in production that should be somebody's decision.",
  // An organisation's own rule: it holds once a level is configured.
  enforcementLevel: "disabled",
  configSchema: {
    properties: { stages: productionStages, allowed: texts("Policies that may be stated.", ...allowed) },
  },
  check: ({ kind, name, group, spec }, { stage, settings }) => {
    if (kind !== "Kustomization" || group !== "kustomize.toolkit.fluxcd.io") return undefined;
    if (/^(window|tenant)-/.test(name) || !isProduction(stage, settings["stages"])) return undefined;
    const stated = spec["deletionPolicy"];
    const may = listed(settings["allowed"], allowed);
    if (typeof stated === "string" && may.includes(stated)) return undefined;
    return `spec.deletionPolicy is ${shown(stated)} in stage '${stage}'; write deletionPolicy on the set, one of ${may.join(", ")}.`;
  },
});

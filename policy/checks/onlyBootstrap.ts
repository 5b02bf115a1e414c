import type { ResourceValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { asMap } from "../plainValue.ts";
import { isFluxConfiguration } from "../resourceTypes.ts";

/** Application sets belong in Git, where a new one needs no change in Azure. */
export const onlyBootstrap: ResourceValidationPolicy & About = {
  name: "only-bootstrap",
  description: "A Flux configuration in Azure holds exactly one kustomization, named bootstrap.",
  why: "Application sets belong in Git: a new one then needs a commit and no change in Azure.",
  validateResource: ({ type, name, props }, report) => {
    if (!isFluxConfiguration(type)) return;
    const names = Object.keys(asMap(props["kustomizations"]) ?? {}).sort();
    const others = names.filter((key) => key !== "bootstrap");
    if (others.length > 0) {
      report(
        `FluxConfiguration '${name}' also holds ${others.map((key) => `'${key}'`).join(", ")}. ` +
          "Make each a set of the cluster in the fleet file, so that it is committed to the cluster's flux folder.",
      );
    }
    if (others.length === names.length) {
      report(
        `FluxConfiguration '${name}' holds no kustomization named 'bootstrap'. ` +
          "Add one whose path is the cluster's flux folder.",
      );
    }
  },
};

import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { exempted } from "../exemptions.ts";
import { gitFilesType } from "../resourceTypes.ts";

/** The last of the pack: what the others have let pass. */
export const exemptionsShown: ResourceValidationPolicy & StackValidationPolicy & About = {
  name: "exemptions-shown",
  onlyOf: gitFilesType,
  description: "What exemptions let pass is shown in each run.",
  why: "An exemption that nobody sees is forgotten, and then it is the rule.",
  enforcementLevel: "advisory",
  // Settings are looked at where resources are.
  validateResource: () => undefined,
  validateStack: (_, report) => {
    for (const [what, count] of exempted)
      report(`${what}: ${count} violation${count === 1 ? "" : "s"} left out.`);
    exempted.clear();
  },
};

import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { exempted } from "../exemptions.ts";
import { gitFilesType } from "../resourceTypes.ts";

/** The last of the pack: what exemptions hold, and what the others have let pass for them. */
export const exemptionsShown: ResourceValidationPolicy & StackValidationPolicy & About = {
  name: "exemptions-shown",
  onlyOf: gitFilesType,
  description: "Exemptions are shown in each run while they hold, with what they let pass.",
  why: "An exemption that nobody sees is forgotten, and then it is the rule.",
  enforcementLevel: "advisory",
  // Settings are looked at where resources are.
  validateResource: () => undefined,
  validateStack: (_, report) => {
    for (const [what, count] of exempted)
      report(
        count === 0
          ? `${what}: no violation is left out; take it out of the policy's settings.`
          : `${what}: ${count} violation${count === 1 ? "" : "s"} left out.`,
      );
    exempted.clear();
  },
};

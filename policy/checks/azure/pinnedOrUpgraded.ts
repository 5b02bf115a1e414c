import { resourcePolicy } from "../../azurePolicy.ts";
import { asText, shown } from "../../plainValue.ts";
import { isExtension } from "../../resourceTypes.ts";

/** Azure takes both together and then ignores one of them. */
export const pinnedOrUpgraded = resourcePolicy({
  name: "extension-pinned-or-upgraded",
  description: "The Flux extension either stays on a version or is upgraded by Azure, and says which.",
  why: "With both, Azure ignores one of them; with neither, nobody decided what a cluster runs.",
  of: isExtension,
  checks: [
    ({ props }) => {
      if (props["extensionType"] !== "microsoft.flux") return undefined;
      const [upgrades, version] = [props["autoUpgradeMinorVersion"], asText(props["version"])];
      if (upgrades === true && version !== undefined)
        return `version is ${shown(version)} and autoUpgradeMinorVersion is true; write one of the two.`;
      if (upgrades !== true && version === undefined)
        return `autoUpgradeMinorVersion is ${shown(upgrades)} and no version is given; pin a version, or write autoUpgradeMinorVersion: true.`;
      return undefined;
    },
  ],
});

import { resourcePolicy } from "../../azurePolicy.ts";
import { asMap, shown } from "../../plainValue.ts";
import { isConnectedCluster } from "../../resourceTypes.ts";

/** Agents that upgrade themselves restart at any time, on every cluster. */
export const agentsStay = resourcePolicy({
  name: "agents-stay",
  description: "Azure does not upgrade the Arc agents by itself.",
  why: "Agents that upgrade themselves change all clusters at a time that nobody chose, past windows and stages.",
  // Arcflux leaves it to Azure; an organisation may not.
  enforcementLevel: "disabled",
  of: isConnectedCluster,
  checks: [
    ({ props }) => {
      const upgrade = asMap(props["arcAgentProfile"])?.["agentAutoUpgrade"];
      if (upgrade === "Disabled") return undefined;
      return `arcAgentProfile.agentAutoUpgrade is ${shown(upgrade)}; write 'Disabled', and upgrade the agents by an update.`;
    },
  ],
});

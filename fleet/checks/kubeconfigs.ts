import type { Check } from "./report.ts";

/** Each cluster that Arcflux connects is told apart from the others, so that none gets the agents of another. */
export const checkKubeconfigs: Check = ({ fleet, report }) => {
  const owners = new Map<string, string>();
  for (const { name, agents, kubeconfig } of fleet.clusters) {
    if (agents !== "install") continue;
    if (kubeconfig === undefined) {
      if (fleet.clusters.length > 1) {
        report(
          ["clusters", name, "kubeconfig"],
          "is missing, and with more than one cluster the current context could be any of theirs; write kubeconfig: {context: …} or {config: …}, or agents: present when it is connected already",
          "key",
        );
      }
      continue;
    }
    const key = JSON.stringify(kubeconfig);
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, name);
    else
      report(
        ["clusters", name, "kubeconfig"],
        `is the one of ${owner} too; each cluster that is connected needs its own`,
      );
  }
};

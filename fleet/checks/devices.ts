import { deviceGroup } from "../device.ts";
import type { Check } from "./report.ts";

/** Letters that Azure takes in the name of a resource group. */
const longestGroup = 90;

/** A simulated device is connected to Azure Arc by the update that makes it, and its kubeconfig comes from it. */
export const checkDevices: Check = ({ fleet, file, report }) => {
  for (const { name, device, platform, agents, arc } of fleet.clusters) {
    if (device === undefined) continue;
    const path = ["clusters", name, "device"];
    if (platform !== "arc" || agents !== "install")
      report(
        path,
        `is for a cluster that is connected to Azure Arc here, and ${name} has platform: ${platform}, agents: ${agents}; write arc and install, or drop device`,
        "key",
      );
    if (file.clusters[name]?.kubeconfig !== undefined)
      report(path, "brings a kubeconfig of its own; drop kubeconfig or device", "key");
    const group = deviceGroup(arc.resourceGroup, arc.name);
    if (group.length > longestGroup)
      report(
        path,
        `has the resource group ${group} to itself, of which Azure takes ${longestGroup} characters; shorten arc.name or arc.resourceGroup`,
        "key",
      );
  }
};

import type { Check } from "./report.ts";

const examples = { resourceGroup: "rg-edge", location: "westeurope" };

/** Every cluster has a resource group and a location, its own or the fleet's. */
export const checkAzure: Check = ({ file, fleet, report }) => {
  for (const field of ["resourceGroup", "location"] as const) {
    const lacking = fleet.clusters.filter(({ arc }) => arc[field] === "").map(({ name }) => name);
    if (lacking.length === 0) continue;
    const allowed = `write arc.${field} for the whole fleet or for the cluster, such as ${examples[field]}`;
    if (lacking.length === Object.keys(file.clusters).length) {
      report(["arc", field], `is missing, and no cluster has one of its own; ${allowed}`);
    } else {
      for (const name of lacking) report(["clusters", name, "arc", field], `is missing; ${allowed}`);
    }
  }
};

import { loadFleet } from "../../fleet/load.ts";
import type { Fleet } from "../../fleet/model.ts";
import { formatFinding } from "../../fleet/finding.ts";

/** A whole fleet file around what a test is about: lines of one cluster's entry, and lines of the top level. */
export function fleetText({ cluster = "", top = "" } = {}): string {
  return [
    "apiVersion: arcflux/v1",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    top,
    "clusters:",
    "  edge-0:",
    "    agents: present",
    ...cluster.split("\n").map((line) => `    ${line}`),
    "",
  ].join("\n");
}

/** The fleet of a text that is right; the findings are in the error where it is not. */
export function mustLoad(text: string): Fleet {
  const { fleet, findings } = loadFleet(text, "fleet.yaml");
  if (!fleet) throw new Error(findings.map(formatFinding).join("\n"));
  return fleet;
}

/** The findings of a text, each as one line. */
export function findingsOf(text: string): string[] {
  return loadFleet(text, "fleet.yaml").findings.map(formatFinding).filter(isNoFixture);
}

/** Whether a finding is one of more than that a fixture of a few lines declares what it does not use. */
export function isNoFixture(finding: string): boolean {
  return !/that nothing takes|that no set is bound to|names no serviceAccountName/.test(finding);
}

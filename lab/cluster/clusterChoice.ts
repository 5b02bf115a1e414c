import path from "node:path";
import type { ClusterRequest } from "./labKubernetes.ts";
import { isClusterName } from "./clusterName.ts";

/** The part of a lab's options that says which real Kubernetes it gets. */
export interface ClusterChoice {
  readonly clusters?: readonly ClusterRequest[];
  readonly kubeconfig?: string;
  readonly contexts?: readonly string[];
}

export interface ClusterOptionsGiven {
  readonly cluster: boolean;
  /** With commas between them. */
  readonly names: string | undefined;
  readonly kubeconfig: string | undefined;
}

/** The name of the one cluster of the fleet file that comes with the clone. */
const sample = "edge-device-0";

/** What the options of a command line mean; undefined for no real Kubernetes, a text for what is wrong with them. */
export function clusterChoice(given: ClusterOptionsGiven): ClusterChoice | string | undefined {
  const { cluster, kubeconfig } = given;
  const names = given.names?.split(",").map((name) => name.trim());
  if (names?.includes("")) return `--cluster-names has an empty name: ${names.join(",")}.`;
  if (names !== undefined && new Set(names).size < names.length) {
    return `--cluster-names names one cluster twice: ${names.join(",")}.`;
  }
  if (kubeconfig !== undefined) {
    return { kubeconfig: path.resolve(kubeconfig), ...(names && { contexts: names }) };
  }
  const wrong = names?.filter((name) => !isClusterName(name)) ?? [];
  if (wrong.length > 0) {
    return `--cluster-names: ${wrong.map((name) => `'${name}'`).join(", ")} cannot be the name of a cluster. Write at most 63 lower-case letters, digits and hyphens, such as ${sample}.`;
  }
  if (!cluster && names === undefined) return undefined;
  return { clusters: (names ?? [sample]).map((name) => ({ name })) };
}

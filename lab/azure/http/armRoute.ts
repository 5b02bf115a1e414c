import { ArmError } from "../armError.ts";
import type { ArmId, ArmType } from "../armId.ts";
import { armTypes, parseArmId, subscriptionId } from "../armId.ts";

/** What a request is about. */
export type ArmRoute =
  | { readonly kind: "resource"; readonly id: ArmId }
  /** `within`: a resource group or a cluster; the whole subscription without it. */
  | { readonly kind: "list"; readonly type: ArmType; readonly within?: ArmId }
  | { readonly kind: "operation"; readonly name: string }
  /** `path`: what follows the cluster's id, such as `/connected`. */
  | { readonly kind: "agent"; readonly cluster: ArmId; readonly path: string };

const agentPrefix = "/lab/agent";
const operationPath = /^\/subscriptions\/[^/]+\/providers\/Lab\.Operations\/operations\/([-0-9a-f]+)$/i;
const agentPath = /^(\/subscriptions\/.*\/connectedClusters\/[^/]+)(\/.*)?$/i;
const listPath =
  /^(.*?)\/(?:providers\/Microsoft\.(?:Kubernetes|KubernetesConfiguration)\/)?(resourceGroups|connectedClusters|extensions|fluxConfigurations)$/i;

/** Where an operation is asked after. */
export function operationUrl(base: string, name: string): string {
  return `${base}/subscriptions/${subscriptionId}/providers/Lab.Operations/operations/${name}?api-version=2023-05-01`;
}

/** Reads a path, percent-encoded as it came. Throws an ArmError for one that leads nowhere. */
export function armRoute(encoded: string): ArmRoute {
  const path = decode(encoded);
  const operation = operationPath.exec(path)?.[1];
  if (operation !== undefined) return { kind: "operation", name: operation };
  if (path.startsWith(`${agentPrefix}/`)) return agentRoute(path.slice(agentPrefix.length));
  return listRoute(path) ?? { kind: "resource", id: parseArmId(path) };
}

function agentRoute(path: string): ArmRoute {
  // A name below the cluster may look like a cluster itself; the id ends at the first.
  const [, id = "", rest = ""] = agentPath.exec(path) ?? [];
  const [end = ""] = /^.*?\/connectedClusters\/[^/]+/i.exec(path) ?? [];
  const cluster = parseArmId(end === "" ? id : end);
  return { kind: "agent", cluster, path: end === "" ? rest : path.slice(end.length) };
}

function listRoute(path: string): ArmRoute | undefined {
  const [, parent = "", word = ""] = listPath.exec(path) ?? [];
  const type = Object.values(armTypes).find((one) => one.toLowerCase() === word.toLowerCase());
  if (type === undefined) return undefined;
  if (parent.toLowerCase() === `/subscriptions/${subscriptionId}`) return { kind: "list", type };
  const within = parseArmId(parent);
  const fits =
    type === armTypes.connectedCluster
      ? within.type === armTypes.resourceGroup
      : within.type === armTypes.connectedCluster;
  return fits ? { kind: "list", type, within } : undefined;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ArmError(400, "BadRequest", "The path of the request is not percent-encoded text.");
  }
}

import { ArmError } from "../armError.ts";
import type { ArmId, ArmType } from "../armId.ts";
import { armTypes, parseArmId, subscriptionId } from "../armId.ts";

/** What a path of ARM means. */
export type Route =
  | { readonly kind: "resource"; readonly id: ArmId }
  /** All of a type: below a cluster, in a resource group, or in the subscription. */
  | {
      readonly kind: "list";
      readonly type: ArmType;
      readonly resourceGroup?: string;
      readonly cluster?: ArmId;
    }
  /** State of an operation; with `result` in the older manner, where the HTTP status says it. */
  | { readonly kind: "operation"; readonly type: ArmType; readonly id: string; readonly result: boolean };

const kubernetes = String.raw`/providers/Microsoft\.Kubernetes`;
const operationPath = new RegExp(
  String.raw`^/subscriptions/[^/]+(?:${kubernetes}/locations/[^/]+)?/(operationStatuses|operationresults)/([^/]+)$`,
  "i",
);
const childOperationPath = /^(.*\/(extensions|fluxConfigurations)\/[^/]+)\/operations\/([^/]+)$/i;
const groupsPath = /^\/subscriptions\/([^/]+)\/resourceGroups$/i;
const clustersPath = new RegExp(
  String.raw`^/subscriptions/([^/]+)(?:/resourceGroups/([^/]+))?${kubernetes}/connectedClusters$`,
  "i",
);
const childrenPath =
  /^(.*\/connectedClusters\/[^/]+)\/providers\/Microsoft\.KubernetesConfiguration\/(extensions|fluxConfigurations)$/i;

/** What the path of a request names. Throws an ArmError when the lab has nothing of the kind. */
export function parseRoute(path: string): Route {
  return operationRoute(path) ?? listRoute(path) ?? { kind: "resource", id: decoded(parseArmId(path), path) };
}

function operationRoute(path: string): Route | undefined {
  const [, , childType, childOperation] = childOperationPath.exec(path) ?? [];
  if (childType !== undefined && childOperation !== undefined) {
    return { kind: "operation", type: childTypeOf(childType), id: childOperation, result: false };
  }
  const [, how, id] = operationPath.exec(path) ?? [];
  if (how === undefined || id === undefined) return undefined;
  const type = /microsoft\.kubernetes/i.test(path) ? armTypes.connectedCluster : armTypes.resourceGroup;
  return { kind: "operation", type, id, result: how.toLowerCase() === "operationresults" };
}

function listRoute(path: string): Route | undefined {
  const groups = groupsPath.exec(path);
  const clusters = clustersPath.exec(path);
  checkSubscription(groups?.[1] ?? clusters?.[1]);
  if (groups !== null) return { kind: "list", type: armTypes.resourceGroup };
  if (clusters !== null) {
    const [, , group] = clusters;
    return {
      kind: "list",
      type: armTypes.connectedCluster,
      ...(group !== undefined && { resourceGroup: decode(group, path) }),
    };
  }
  const [, parent, type] = childrenPath.exec(path) ?? [];
  if (parent === undefined || type === undefined) return undefined;
  return { kind: "list", type: childTypeOf(type), cluster: decoded(parseArmId(parent), path) };
}

function childTypeOf(text: string): "extensions" | "fluxConfigurations" {
  return text.toLowerCase() === "extensions" ? armTypes.extension : armTypes.fluxConfiguration;
}

function checkSubscription(given: string | undefined): void {
  if (given === undefined || given.toLowerCase() === subscriptionId) return;
  throw new ArmError(404, "SubscriptionNotFound", `The subscription '${given}' could not be found.`);
}

function decoded(id: ArmId, path: string): ArmId {
  return {
    ...id,
    resourceGroup: decode(id.resourceGroup, path),
    ...(id.cluster !== undefined && { cluster: decode(id.cluster, path) }),
    name: decode(id.name, path),
  };
}

/** No name of these resources may be as long, and a file system takes 255 bytes for one. */
const longestName = 200;

function decode(segment: string, path: string): string {
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    throw new ArmError(
      400,
      "InvalidRequestUri",
      `'${path}' is not a path: a '%' stands before no two digits.`,
    );
  }
  if (Buffer.byteLength(name) <= longestName) return name;
  throw new ArmError(
    400,
    "InvalidResourceName",
    `'${name.slice(0, 20)}…' has ${name.length} letters: a name of a resource has ${longestName} bytes at most.`,
  );
}

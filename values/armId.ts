/** Parts of the Azure resource id of a connected cluster, or of a resource below one. */
export interface ClusterId {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Of the connected cluster. */
  readonly name: string;
  /** Id of the connected cluster itself, without any child resource. */
  readonly arcId: string;
  /** The resource below the cluster, `fluxConfigurations` with its name; absent where the id is the cluster's own. */
  readonly child?: { readonly type: string; readonly name: string };
}

const connectedCluster =
  /^(\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Kubernetes\/connectedClusters\/([^/]+))(?:\/providers\/[^/]+\/([^/]+)\/([^/]+)|\/|$)/i;

/**
 * Reads the id of a connected cluster, or of a resource below it such as an extension.
 *
 * @throws when the id is of something else.
 */
export function parseClusterId(id: string): ClusterId {
  const [, arcId, subscriptionId, resourceGroup, name, type, child] = connectedCluster.exec(id) ?? [];
  if (!arcId || !subscriptionId || !resourceGroup || !name) {
    throw new Error(`'${id}' is not the Azure id of a connected cluster or of a resource below one.`);
  }
  return {
    ...{ subscriptionId, resourceGroup, name, arcId },
    ...(type && child && { child: { type, name: child } }),
  };
}

/** What Azure's clients ask before the name of what is meant: resource group, provider, type and name of the cluster. */
export function clusterPlace({
  resourceGroup,
  name,
}: Pick<ClusterId, "resourceGroup" | "name">): readonly [string, string, string, string] {
  return [resourceGroup, "Microsoft.Kubernetes", "connectedClusters", name];
}

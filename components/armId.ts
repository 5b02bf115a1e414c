/** Parts of the Azure resource id of a connected cluster. */
export interface ClusterId {
  readonly subscriptionId: string;
  /** Id of the connected cluster itself, without any child resource. */
  readonly arcId: string;
}

const connectedCluster =
  /^(\/subscriptions\/([^/]+)\/resourceGroups\/[^/]+\/providers\/Microsoft\.Kubernetes\/connectedClusters\/[^/]+)(\/|$)/i;

/**
 * Reads the id of a connected cluster, or of a resource below it such as an extension.
 *
 * @throws when the id is of something else.
 */
export function parseClusterId(id: string): ClusterId {
  const [, arcId, subscriptionId] = connectedCluster.exec(id) ?? [];
  if (arcId === undefined || subscriptionId === undefined) {
    throw new Error(`'${id}' is not the Azure id of a connected cluster or of a resource below one.`);
  }
  return { subscriptionId, arcId };
}

import { armRoute } from "./azure/http/armRoute.ts";
import type { Operation } from "./providers/faults.ts";
import { FaultInjector } from "./providers/faults.ts";

const types = {
  resourceGroups: "ResourceGroup",
  connectedClusters: "ConnectedCluster",
  extensions: "Extension",
  fluxConfigurations: "FluxConfiguration",
} as const;

const operations: Readonly<Record<string, Operation>> = {
  GET: "read",
  PUT: "create",
  PATCH: "update",
  DELETE: "delete",
};

/** The faults of `DIR/faults.json` for requests that come to the lab's Azure over HTTP, and not by way of Pulumi. */
export function armFaults(dir: string): (method: string, path: string) => Promise<void> {
  const faults = new FaultInjector(dir);
  return async (method, path) => {
    const operation = operations[method];
    const route = armRoute(path);
    if (operation === undefined || route.kind !== "resource") return;
    const { type, cluster, name } = route.id;
    const names = cluster === undefined || cluster === name ? [name] : [`${cluster}/${name}`, name];
    await faults.before({ type: types[type], names, operation });
  };
}

import type { ClusterApi, KubernetesObject } from "../../cluster/clusterApi.ts";
import { refOf } from "../../cluster/clusterApi.ts";
import { applier, managedLabel } from "./renderConfiguration.ts";

const rbac = "rbac.authorization.k8s.io";
const labels = { [managedLabel]: "true" };

/**
 * The service account that Flux applies a configuration as under lockdown, in the configuration's namespace: with scope
 * `cluster` it may do everything, with scope `namespace` everything there.
 */
export function applierObjects(namespace: string, scope: unknown): readonly KubernetesObject[] {
  const everywhere = scope !== "namespace";
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: applier, namespace, labels } },
    {
      apiVersion: `${rbac}/v1`,
      kind: everywhere ? "ClusterRoleBinding" : "RoleBinding",
      metadata: {
        name: everywhere ? `${applier}-${namespace}` : applier,
        ...(!everywhere && { namespace }),
        labels,
      },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "ServiceAccount", name: applier, namespace }],
    },
  ];
}

/** Takes away every such account with its rights. */
export async function removeAppliers(api: ClusterApi): Promise<void> {
  const selected = { labels: `${managedLabel}=true` };
  const kinds = [
    [`${rbac}/v1`, "ClusterRoleBinding"],
    [`${rbac}/v1`, "RoleBinding"],
    ["v1", "ServiceAccount"],
  ] as const;
  for (const [version, kind] of kinds) {
    const found = await api.list(version, kind, selected);
    await Promise.all(found.map((object) => api.delete(refOf(object))));
  }
}

import { type Cluster, fluxNamespace, type Tenant } from "../fleet/model.ts";
import { tenantObject, tenantsFolder } from "../fleet/resolveTenants.ts";
import { followFolder } from "./follow.ts";
import { sortedNames } from "./ordered.ts";
import type { YamlMap } from "./yaml.ts";

/** The label that `flux create tenant` writes as well. */
const tenantLabel = "toolkit.fluxcd.io/tenant";

/** The Kustomization in the flux folder that applies the folder of a tenant; the tenant's sets wait for it. */
export function renderTenant({ name }: Tenant, cluster: Cluster): YamlMap {
  return followFolder({ name: tenantObject(name), folder: `${tenantsFolder}/${name}`, wait: true }, cluster);
}

/**
 * The objects of a tenant by file name without its ending: its namespaces, and its account with a role in these alone. The
 * account is in flux-system, where Flux looks for it, and may do nothing there.
 */
export function tenantFolder({
  name,
  namespaces,
  role,
  labels,
}: Tenant): [name: string, documents: YamlMap[]][] {
  const account = tenantObject(name);
  const marks = sortedNames({ ...labels, [tenantLabel]: name });
  return [
    [
      "account",
      [
        {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: account, namespace: fluxNamespace },
          automountServiceAccountToken: false,
        },
      ],
    ],
    ...namespaces.map((namespace): [string, YamlMap[]] => [
      `namespace-${namespace}`,
      [
        { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: marks } },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "RoleBinding",
          metadata: { name: account, namespace },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
          subjects: [{ kind: "ServiceAccount", name: account, namespace: fluxNamespace }],
        },
      ],
    ]),
  ];
}

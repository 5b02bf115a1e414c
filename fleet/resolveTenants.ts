import { matchable, matches, own, type View } from "./layers.ts";
import type { PlainMap, Tenant } from "./model.ts";
import type { FleetFile } from "./schema.ts";

/** Folder below the cluster folder with a folder for each tenant, which its generated Kustomization applies. */
export const tenantsFolder = "tenants";

const prefix = "tenant-";

/** What Arcflux makes for a tenant is called that: its Kustomization, and the account that its sets are applied as. */
export function tenantObject(name: string): string {
  return `${prefix}${name}`;
}

/** The tenant whose object has a name; undefined for names of anything else. */
export function tenantOf(object: string): string | undefined {
  return object.startsWith(prefix) ? object.slice(prefix.length) : undefined;
}

/** The tenants of a cluster, sorted by name. They are there without sets too, since their sets have to go first. */
export function resolveTenants(file: FleetFile, { entry }: View): Tenant[] {
  const labels = matchable(entry);
  return Object.keys(file.tenants)
    .sort()
    .flatMap((name): Tenant[] => {
      const { match, namespaces, role = "admin", labels: own = {}, sources = [] } = file.tenants[name]!;
      if (!matches(labels, Object.entries(match ?? {}))) return [];
      return [{ name, namespaces: [...new Set(namespaces)].sort(), role, labels: own, sources }];
    });
}

/** What being a tenant's says of a set: its account, and its namespace where there is only one. */
export function tenantSpec(file: FleetFile, tenant: string | undefined, spec: PlainMap): PlainMap {
  if (tenant === undefined) return {};
  const [only, ...others] = own(file.tenants, tenant)?.namespaces ?? [];
  return {
    serviceAccountName: spec["serviceAccountName"] ?? tenantObject(tenant),
    ...(only !== undefined && others.length === 0 && { targetNamespace: spec["targetNamespace"] ?? only }),
  };
}

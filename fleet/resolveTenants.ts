import { matchable, matches, type View } from "./layers.ts";
import type { Dependency, PlainMap, Tenant } from "./model.ts";
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
  const has = matchable(entry);
  return Object.keys(file.tenants)
    .sort()
    .flatMap((name): Tenant[] => {
      const { match, namespaces, role = "admin", labels = {}, sources = [] } = file.tenants[name]!;
      if (!matches(has, Object.entries(match ?? {}))) return [];
      return [{ name, namespaces: [...new Set(namespaces)].sort(), role, labels, sources }];
    });
}

/** What a set has from being a tenant's: its account, and its namespace where there is only one. */
export function tenantSpec({ name, namespaces }: Tenant, spec: PlainMap): PlainMap {
  const [only] = namespaces.length === 1 ? namespaces : [];
  return {
    serviceAccountName: spec["serviceAccountName"] ?? tenantObject(name),
    ...(only !== undefined && { targetNamespace: spec["targetNamespace"] ?? only }),
  };
}

/** What a tenant's set needs first: the namespaces and the account of its tenant. */
export function afterTenant(dependsOn: readonly Dependency[], { name }: Tenant): readonly Dependency[] {
  const first = tenantObject(name);
  return dependsOn.some((one) => one.name === first) ? dependsOn : [...dependsOn, { name: first }];
}

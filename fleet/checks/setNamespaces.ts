import { showNames } from "../../values/show.ts";
import { fluxNamespace, type ClusterSet } from "../model.ts";
import { namespacesFile } from "../resolveSecrets.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/**
 * Sets outside flux-system. With lockdown Flux lets them refer to nothing there, the fleet's own repository included, and
 * applies them as an account of their own namespace.
 */
export const checkSetNamespaces: Check = (checked) => {
  const shared = new Shared();
  eachSet(checked, ({ cluster, set, at }) => {
    const add = (field: string, message: string) => shared.add(at(field), message, cluster.name);
    if (set.name === namespacesFile && cluster.sets.some(({ namespace }) => namespace !== undefined))
      shared.add(
        at(),
        `${namespacesFile}.yaml holds the namespaces of sets outside ${fluxNamespace}; choose another name for the set`,
        cluster.name,
      );
    const { namespace } = set;
    if (namespace === undefined) return;
    if (set.tenant !== undefined)
      add(
        "namespace",
        `a tenant's sets are in ${fluxNamespace}, with their account; drop namespace, or tenant`,
      );
    if (!cluster.flux.lockdown) return;
    const other = outside(set, namespace);
    if (other.length > 0)
      add(
        "namespace",
        `is ${namespace}, and with flux.lockdown Flux refuses what the set takes from another one (${showNames(other)}); write sourceRef and dependsOn of ${namespace}, or set flux.lockdown to what the cluster has`,
      );
    if (set.spec["serviceAccountName"] === undefined)
      add(
        "namespace",
        `is ${namespace}, where flux.lockdown has no account to apply the set as; write serviceAccountName, of an account there`,
      );
  });
  shared.report(checked.report);
};

/** What a set refers to in other namespaces than its own. */
function outside({ sourceRef, dependsOn }: ClusterSet, own: string): string[] {
  return [sourceRef, ...dependsOn].flatMap(({ name, namespace = fluxNamespace }) =>
    namespace === own ? [] : `${namespace}/${name}`,
  );
}

import { fluxNamespace } from "../model.ts";
import { show } from "../../values/show.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/** With multi-tenancy lockdown Flux refuses what reaches into another namespace. */
export const checkLockdown: Check = (checked) => {
  const shared = new Shared();
  eachSet(checked, ({ cluster, set, at }) => {
    // Of a set outside flux-system setNamespaces.ts tells.
    if (!cluster.flux.lockdown || set.namespace !== undefined) return;
    const refuse = (namespace: string | undefined, what: string, ...inner: (string | number)[]) => {
      if (namespace === undefined || namespace === fluxNamespace) return;
      shared.add(
        at(...inner, "namespace"),
        `${show(namespace)} is another namespace, and with flux.lockdown Flux refuses ${what} there; use one in ${fluxNamespace}, or set flux.lockdown to what the cluster has`,
        cluster.name,
      );
    };
    refuse(set.sourceRef.namespace, "a source", "sourceRef");
    for (const [index, { namespace }] of set.dependsOn.entries())
      refuse(namespace, "a dependency", "dependsOn", index);
  });
  shared.report(checked.report);
};

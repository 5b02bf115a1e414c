import { show } from "../../values/show.ts";
import { kubeconfigSecret } from "../management.ts";
import { fluxNamespace } from "../model.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/** Sets that run on another cluster by its kubeconfig, such as the one that Cluster API makes for each Cluster. */
export const checkRemoteSets: Check = (checked) => {
  const makers = new Map(checked.fleet.clusters.map((one) => [kubeconfigSecret(one), one]));
  const [faults, warnings] = [new Shared(), new Shared()];
  eachSet(checked, ({ cluster, set, at }) => {
    const { kubeConfig, serviceAccountName } = set.spec as Spec;
    // Of an empty one, Flux's schema says what is missing.
    if (Object.keys(kubeConfig ?? {}).length === 0) return;
    const { name = "", key = "value" } = kubeConfig?.secretRef ?? {};
    const made = makers.get(name);
    const place = (field: string) => at("kubeConfig", "secretRef", field);
    if (made?.managedBy !== undefined && made.managedBy !== cluster.name)
      faults.add(
        place("name"),
        `${show(name)} is on ${made.managedBy}, which makes ${made.name}; give the set to that cluster`,
        cluster.name,
      );
    if (made?.managedBy !== undefined && key !== "value")
      faults.add(
        place("key"),
        `${show(key)} is not in ${name}: Cluster API writes the key value; drop key`,
        cluster.name,
      );
    if (cluster.flux.lockdown)
      warnings.add(
        at("kubeConfig"),
        `takes the set to a cluster where flux.lockdown lets it act as ${fluxNamespace}/${serviceAccountName ?? "flux-applier"} alone; make that service account there, with a role`,
        cluster.name,
      );
  });
  faults.report(checked.report);
  warnings.report(checked.warn);
};

interface Spec {
  readonly kubeConfig?: { readonly secretRef?: { readonly name?: string; readonly key?: string } };
  readonly serviceAccountName?: string;
}

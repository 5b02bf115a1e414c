import { isOwnSource } from "../model.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/**
 * Under lockdown Flux applies a set that names no service account as flux-applier: right for one's own repository, and a
 * gift to whoever may write to another one.
 */
export const checkForeign: Check = (checked) => {
  const shared = new Shared();
  eachSet(checked, ({ cluster, set, at }) => {
    if (!cluster.flux.lockdown || set.spec["serviceAccountName"] !== undefined) return;
    if (isOwnSource(cluster, set)) return;
    shared.add(
      at(set.sourceRef.namespace === undefined ? "source" : "sourceRef"),
      "takes manifests of another repository and names no serviceAccountName, so Flux applies them with all rights of flux-applier; name one with fewer",
      cluster.name,
    );
  });
  shared.report(checked.warn);
};

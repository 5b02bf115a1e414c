import { asText } from "../../values/maps.ts";
import { showNames } from "../../values/show.ts";
import type { SetJudgement } from "../judgement.ts";
import { isBuiltIn, isClusterScoped, locate } from "../objects.ts";
import { objectsOf } from "../subject.ts";

/** A tenant works in its namespaces: what lies outside of them is for the platform. */
export const tenantObjects: SetJudgement = {
  name: "tenant-cluster-scoped",
  severity: "warning",
  finds:
    "A tenant's set (with `tenant`, or with a `targetNamespace` and a `serviceAccountName`) holds objects that live in no " +
    "namespace, such as a ClusterRole. Its service account may not apply them, and then nothing of the set is applied. " +
    "An error with `tenant`, as are objects in namespaces of others.",
  judge({ cluster, set, build }) {
    const account = asText(set.spec["serviceAccountName"]);
    const tenant = cluster.tenants.find(({ name }) => name === set.tenant);
    if (account === undefined) return [];
    if (tenant === undefined && asText(set.spec["targetNamespace"]) === undefined) return [];
    const found = objectsOf(build).filter(isClusterScoped);
    const remarks = [];
    if (found.length > 0)
      remarks.push({
        ...(tenant && { severity: "error" as const }),
        message:
          `${showNames(found.map(locate), 3)} lives in no namespace, and the tenant's service account ${account} has to be ` +
          "allowed it, or Flux applies nothing of the set; move it to a set of the platform",
      });
    if (tenant === undefined) return remarks;
    const outside = objectsOf(build).filter((object) => {
      const { namespace } = object;
      // What a variable says is another cluster's question; and an unknown kind without one may live in none.
      const isKnown = !namespace.includes("${") && (namespace !== "" || isBuiltIn(object));
      return isKnown && !isClusterScoped(object) && !tenant.namespaces.includes(namespace);
    });
    if (outside.length > 0)
      remarks.push({
        severity: "error" as const,
        message:
          `${showNames(outside.map(locate), 3)} is in no namespace of tenant ${tenant.name}, and its account may apply nothing ` +
          `elsewhere, so Flux applies nothing of the set; write one of: ${showNames(tenant.namespaces, 5)}`,
      });
    return remarks;
  },
};

import { asText } from "../../values/maps.ts";
import { showNames } from "../../values/show.ts";
import type { SetJudgement } from "../judgement.ts";
import { isClusterScoped, locate } from "../objects.ts";
import { objectsOf } from "../subject.ts";

/** A tenant works in a namespace: what lies outside of every namespace is for the platform. */
export const tenantObjects: SetJudgement = {
  name: "tenant-cluster-scoped",
  severity: "warning",
  finds:
    "A tenant's set (a `targetNamespace` and a `serviceAccountName`) holds objects that live in no namespace, such as a " +
    "ClusterRole. Its service account may not apply them, and then nothing of the set is applied.",
  judge({ set, build }) {
    const account = asText(set.spec["serviceAccountName"]);
    if (account === undefined || asText(set.spec["targetNamespace"]) === undefined) return [];
    const found = objectsOf(build).filter(isClusterScoped);
    if (found.length === 0) return [];
    return [
      {
        message:
          `${showNames(found.map(locate), 3)} lives in no namespace, and the tenant's service account ${account} has to be ` +
          "allowed it, or Flux applies nothing of the set; move it to a set of the platform",
      },
    ];
  },
};

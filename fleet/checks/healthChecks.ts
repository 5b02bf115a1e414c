import { show } from "../../values/show.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

interface HealthCheck {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Kinds that everybody has and that live in a namespace; of others only the cluster can tell. */
const namespaced = new Set(
  [
    "ConfigMap CronJob DaemonSet Deployment Ingress Job PersistentVolumeClaim Pod ReplicaSet Secret Service",
    "ServiceAccount StatefulSet Bucket GitRepository HelmChart HelmRelease HelmRepository Kustomization",
    "OCIRepository Certificate",
  ].flatMap((kinds) => kinds.split(" ")),
);

/** Flux looks a health check up where it says, and nowhere else: neither targetNamespace nor the set's own counts. */
export const checkHealthChecks: Check = (checked) => {
  const shared = new Shared();
  eachSet(checked, ({ cluster, set, at }) => {
    const checks = (set.spec["healthChecks"] ?? []) as unknown as readonly HealthCheck[];
    for (const [index, { kind, name, namespace }] of checks.entries()) {
      if (namespace !== undefined || !namespaced.has(kind)) continue;
      const put = set.spec["targetNamespace"];
      const meant = typeof put === "string" ? put : "the one of the object";
      shared.add(
        at("healthChecks", index),
        `names no namespace, and Flux finds no ${kind} ${show(name)} without one; write namespace: ${meant}`,
        cluster.name,
      );
    }
  });
  shared.report(checked.report);
};

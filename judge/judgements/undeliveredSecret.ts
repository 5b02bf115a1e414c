import { fluxNamespace, type Cluster } from "../../fleet/model.ts";
import { secretNames, secretRefs } from "../../fleet/setSecrets.ts";
import { repositorySecretName } from "../../flux/repositorySecret.ts";
import { clusterKeySecret } from "../../fleet/resolveSecrets.ts";
import { asMap, asText } from "../../values/maps.ts";
import type { ClusterJudgement, ClusterRemark } from "../judgement.ts";
import { type BuiltObject, objectsOf, type Subject } from "../subject.ts";

/** Secrets that something names, and that come from nowhere. */
export const undeliveredSecret: ClusterJudgement = {
  name: "undelivered-secret",
  severity: "warning",
  finds:
    "A set, source or alert names a Secret of flux-system that neither `secrets` nor a set delivers. Only said where the fleet " +
    "file has `secrets`; one that exists on the cluster is declared there with `external: true`.",
  judgeCluster({ cluster, subjects }): ClusterRemark[] {
    if (cluster.secrets === undefined) return [];
    const there = deliveredIn(cluster, subjects);
    const bootstrap = subjects.find(({ isBootstrap }) => isBootstrap)?.set.name;
    const missing = (set: string | undefined, by: string, names: Iterable<string>): ClusterRemark[] =>
      [...new Set(names)]
        .filter((name) => !there.has(name))
        .flatMap((name) =>
          set === undefined
            ? []
            : {
                set,
                message: `${by} names Secret ${fluxNamespace}/${name}, which nothing delivers; declare it under \`secrets\`, with external: true if it is on the cluster already`,
              },
        );
    return [
      ...subjects.flatMap(({ set, isBootstrap }) =>
        // Another namespace is others' to fill.
        isBootstrap || set.namespace !== undefined
          ? []
          : missing(set.name, `set ${set.name}`, secretNames(set)),
      ),
      ...cluster.sources.flatMap(({ name, spec }) => missing(bootstrap, `source ${name}`, secretRefs(spec))),
      ...cluster.alerts.flatMap(({ name, provider }) =>
        missing(bootstrap, `alert ${name}`, secretRefs(provider)),
      ),
    ];
  },
};

/** Names of the Secrets in flux-system that come to a cluster. */
function deliveredIn(cluster: Cluster, subjects: readonly Subject[]): ReadonlySet<string> {
  const declared = (cluster.secrets ?? []).filter(({ namespace }) => namespace === fluxNamespace);
  const applied = subjects.flatMap(({ build }) => objectsOf(build).flatMap(madeBy));
  return new Set([
    ...declared.map(({ name }) => name),
    ...applied,
    repositorySecretName(cluster),
    ...(cluster.recipient === undefined ? [] : [clusterKeySecret]),
  ]);
}

/** The name of the Secret that an object is, or becomes by an operator. */
function madeBy({ kind, name, namespace, value }: BuiltObject): string[] {
  if (namespace !== "" && namespace !== fluxNamespace) return [];
  if (kind === "Secret" || kind === "SealedSecret") return [name];
  if (kind !== "ExternalSecret") return [];
  return [asText(asMap(asMap(value["spec"])["target"])["name"]) ?? name];
}

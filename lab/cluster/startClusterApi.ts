import { readFileSync } from "node:fs";
import path from "node:path";
import { cleanEnvironment } from "../environment.ts";
import { applyCrds } from "./applyCrds.ts";
import type { KubernetesObject } from "./clusterApi.ts";
import type { Controller } from "./clusterTools.ts";
import { readCrds } from "./crds.ts";
import { freePorts } from "./freePorts.ts";
import { Guarded } from "./guarded.ts";
import type { Cluster } from "./startCluster.ts";
import { ProcessDeath } from "./processDeath.ts";
import { waitUntil } from "./waitUntil.ts";

/** Kinds that Cluster API looks up by a label of their definition, which its own releases put on all of them. */
const contract = { "cluster.x-k8s.io/v1beta1": "v1beta1", "cluster.x-k8s.io/v1beta2": "v1beta2" };

/** Cluster API at work on a cluster. */
export interface ClusterApiManager {
  /** Set when it has ended by itself, with the end of its log. */
  failure(): Error | undefined;
  stop(): Promise<void>;
}

/**
 * Starts Cluster API's manager on a cluster of the lab, with its definitions: what makes it a management cluster. There is
 * no provider of infrastructure, so whoever makes a Cluster says himself that it is up. Ready when it is at work.
 */
export async function startClusterApi(
  { name, dir, kubeconfig, api }: Pick<Cluster, "name" | "dir" | "kubeconfig" | "api">,
  { program, crds }: Controller,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ClusterApiManager> {
  await api.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "capi-system" } });
  await applyCrds(api, readCrds(crds).map(withLabels));
  const [webhooks = 0] = await freePorts(1);
  const log = path.join(dir, "logs", "cluster-api.log");
  const guarded = new Guarded(path.join(dir, "cluster-api.json"), cleanEnvironment(env));
  guarded.start({
    ...{ name: "cluster-api-manager", program, cwd: dir, log },
    args: [
      // Nothing calls the webhooks, since the cluster has no configuration for them; a certificate it must have.
      `--webhook-port=${webhooks}`,
      `--webhook-cert-dir=${path.join(dir, "certificates")}`,
      "--webhook-cert-name=apiserver.crt",
      "--webhook-key-name=apiserver.key",
      "--diagnostics-address=127.0.0.1:0",
      "--insecure-diagnostics",
      "--health-addr=127.0.0.1:0",
    ],
    env: {
      ...cleanEnvironment(env),
      ...{ KUBECONFIG: kubeconfig, TMPDIR: path.join(dir, "tmp") },
      ...{ POD_NAMESPACE: "capi-system", POD_NAME: "cluster-api", POD_UID: "cluster-api" },
    },
  });
  const failure = (): Error | undefined => guarded.death && new ProcessDeath(name, guarded.death);
  const atWork = () =>
    Promise.resolve(/Starting workers.*clusterresourceset/.test(readFileSync(log, "utf8")));
  try {
    await waitUntil(`Cluster API begins to work; its log is ${log}`, atWork, { everyMs: 50, failure });
  } catch (error) {
    await guarded.stop(500);
    throw error;
  }
  return { failure, stop: () => guarded.stop(500) };
}

function withLabels(definition: KubernetesObject): KubernetesObject {
  const { metadata } = definition;
  return { ...definition, metadata: { ...metadata, labels: { ...metadata.labels, ...contract } } };
}

import { setTimeout as sleep } from "node:timers/promises";

import { asObject, type Json } from "../../lab/azure/json.ts";
import { applyCrds } from "../../lab/cluster/applyCrds.ts";
import type { KubernetesObject } from "../../lab/cluster/clusterApi.ts";
import { refOf } from "../../lab/cluster/clusterApi.ts";
import type { OnCluster } from "./clusterLab.ts";

const group = "fluxcd.controlplane.io";
const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const definition: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `fluxinstances.${group}` },
  spec: {
    ...{ group, scope: "Namespaced" },
    names: { kind: "FluxInstance", plural: "fluxinstances", singular: "fluxinstance" },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
      },
    ],
  },
};

export interface Sync {
  readonly url: string;
  readonly path: string;
}

/** What version 0.58 makes of a `spec.sync`: a source and a Kustomization of one name. */
function madeOf({ url, path }: Sync): KubernetesObject[] {
  const metadata = {
    ...{ name: "flux-system", namespace: "flux-system" },
    labels: { [`${group}/name`]: "flux", [`${group}/namespace`]: "flux-system" },
  };
  return [
    {
      ...{ apiVersion: "source.toolkit.fluxcd.io/v1", kind: "GitRepository", metadata },
      spec: { interval: "1m", ref: { name: "refs/heads/main" }, url },
    },
    {
      ...{ apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization", metadata },
      spec: {
        ...{ interval: "10m", path, prune: true },
        sourceRef: { kind: "GitRepository", name: "flux-system" },
      },
    },
  ];
}

/**
 * A FluxInstance with a sync, and somebody who does with it what flux-operator does, but for the controllers, which the lab
 * runs: makes the root, and makes it anew, unless the annotation says disabled; deletes it once spec.sync is gone.
 */
export async function startFluxOperator({ api }: OnCluster, sync: Sync): Promise<{ stop(): Promise<void> }> {
  await applyCrds(api, [definition]);
  const instance = {
    apiVersion: `${group}/v1`,
    kind: "FluxInstance",
    metadata: { name: "flux", namespace: "flux-system" },
  };
  await api.apply({
    ...instance,
    spec: { sync: { kind: "GitRepository", ref: "refs/heads/main", ...sync } },
  });
  let isOver = false;
  const work = async (): Promise<void> => {
    const found = await api.read(refOf(instance));
    const annotations = (found?.metadata as { annotations?: Record<string, string> }).annotations ?? {};
    if (annotations[`${group}/reconcile`] === "disabled") return;
    const isSynced = asObject(found?.["spec"] as Json)["sync"] !== undefined;
    for (const object of madeOf(sync)) await (isSynced ? api.apply(object) : api.delete(refOf(object)));
  };
  const loop = (async () => {
    for (; !isOver; await sleep(200)) await work();
  })();
  return {
    async stop() {
      isOver = true;
      await loop;
    },
  };
}

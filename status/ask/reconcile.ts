import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster, fluxNamespace, namespaceOf } from "../../fleet/model.ts";
import { ClusterError } from "./clusterError.ts";
import { type FluxKind, fluxKinds } from "./askCluster.ts";
import type { KubernetesApi } from "./kubernetesApi.ts";

const requested = "reconcile.fluxcd.io/requestedAt";

/** One object that is asked to reconcile now. */
export interface Step {
  readonly kind: FluxKind;
  readonly name: string;
  /** Defaults to flux-system. */
  readonly namespace?: string;
}

/** What is asked, in this order: the source first, else the old revision would be applied once more. */
export function reconcileSteps(cluster: Cluster, set?: string): Step[] {
  const { config, sets } = cluster;
  const repository: Step = { kind: "GitRepository", name: config };
  const bootstrap: Step = { kind: "Kustomization", name: `${config}-bootstrap` };
  const found = sets.find(({ name }) => name === set);
  if (found === undefined) return [repository, bootstrap];
  const { kind, name, namespace = fluxNamespace } = found.sourceRef;
  const other = name !== config && kind !== "ExternalArtifact" ? [{ kind, name, namespace }] : [];
  const own: Step = { kind: "Kustomization", name: found.name, namespace: namespaceOf(found) };
  return [repository, bootstrap, ...other, own];
}

/** How long Flux may take to hear of it, in milliseconds. */
const patience = { handled: 60_000, look: 500 };

/** Asks Flux to reconcile an object, as `flux reconcile` does, and waits until it has taken notice. Rejects where it does not. */
export async function reconcile(
  api: KubernetesApi,
  { kind, name, namespace = fluxNamespace }: Step,
  now: Date,
): Promise<void> {
  const object = await api.read(fluxKinds[kind], namespace, name);
  if (object === undefined) throw new ClusterError(`${kind} ${name} is not on the cluster.`);
  if ((object["spec"] as { suspend?: boolean } | undefined)?.suspend === true) {
    throw new ClusterError(`${kind} ${name} is suspended, so that nothing reconciles it. Resume it first.`);
  }
  const value = now.toISOString();
  await api.annotate(fluxKinds[kind], namespace, name, { [requested]: value });
  const end = Date.now() + patience.handled;
  for (;;) {
    const { status } = ((await api.read(fluxKinds[kind], namespace, name)) ?? {}) as {
      status?: { lastHandledReconcileAt?: string };
    };
    if (status?.lastHandledReconcileAt === value) return;
    if (Date.now() > end) throw new ClusterError(`Flux has not looked at ${kind} ${name} within a minute.`);
    await sleep(patience.look);
  }
}

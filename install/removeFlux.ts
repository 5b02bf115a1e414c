import { type ApplyWorld, type Entry, readInventory, refOf, takeOut, textOf } from "../apply/index.ts";
import { fluxNamespace } from "../fleet/model.ts";
import { ownerNamespaceOf, ownerOf } from "../flux/owner.ts";
import type { ApiObject, ObjectApi } from "../status/index.ts";
import { asMap } from "../values/maps.ts";
import { showSome } from "../values/show.ts";
import { InstallError } from "./installError.ts";
import { objectsOfKinds } from "./inUse.ts";

/** Milliseconds for what Flux still has to delete, and then for Flux itself to be gone. */
const patience = 300_000;

/** Between two looks, in milliseconds. */
const pause = 1_000;

/**
 * Takes off a cluster the Flux that `owner` installed, and returns what stays, each with why. With its kinds all of their
 * objects would go: while somebody has any, it is refused. What is being deleted is waited for, since Flux has to be there for
 * that. `bootstrap` is the Kustomization whose sources, held by nobody else, go along.
 */
export async function removeFlux(
  owner: string,
  bootstrap: string,
  world: ApplyWorld,
): Promise<readonly string[]> {
  const { api } = world;
  const entries = [...(await readInventory(api, owner)).values()].flat().filter(({ made }) => made);
  await untilNobodyUsesFlux(entries, bootstrap, world);
  const kept = await namespacesInUse(entries, api);
  const keeps = (entry: Entry): string | undefined =>
    entry.kind === "Namespace" && kept.has(entry.name)
      ? `${textOf(entry)} holds ${kept.get(entry.name)!}, and stays`
      : undefined;
  const { stays, late } = await takeOut(owner, { isMeant: true, timeout: patience, keeps }, world);
  if (late.length > 0)
    throw new InstallError(
      `${showSome(late)} of Flux are still there after ${patience / 1000} s. See their finalizers, then run again.`,
      true,
    );
  return stays;
}

async function untilNobodyUsesFlux(
  entries: readonly Entry[],
  bootstrap: string,
  world: ApplyWorld,
): Promise<void> {
  const { api, now, sleep } = world;
  const deadline = now() + patience;
  for (;;) {
    const objects = await objectsOfKinds(entries, api);
    const isGoing = (object: ApiObject): boolean =>
      asMap(object["metadata"])["deletionTimestamp"] !== undefined;
    if (objects.length === 0) return;
    const live = objects.filter((object) => !isGoing(object));
    // What a set made may go later than the set, so nobody is refused while anything goes.
    if (live.length === objects.length) {
      const ours = live.filter((object) => isLeftSource(object, bootstrap));
      if (ours.length < live.length) throw stillInUse(live.filter((object) => !ours.includes(object)));
      for (const object of ours) await api.remove(refOf(object));
    } else if (now() > deadline) throw stillInUse(objects);
    else await sleep(pause);
  }
}

/** A source that the bootstrap brought and that Flux itself leaves there, such as that of a window. */
function isLeftSource(object: ApiObject, bootstrap: string): boolean {
  const { apiVersion } = refOf(object);
  return (
    apiVersion.startsWith("source.toolkit.fluxcd.io/") &&
    ownerOf(object) === bootstrap &&
    ownerNamespaceOf(object) === fluxNamespace
  );
}

function stillInUse(objects: readonly ApiObject[]): InstallError {
  return new InstallError(
    `Flux is still used: ${showSome(objects.map((object) => textOf(refOf(object))))} would be deleted with its kinds. Nothing was changed. Delete them, and run again.`,
    true,
  );
}

/** What somebody may have put into a namespace of ours; Kubernetes' own objects are in each. */
const looked = [
  ["v1", "Secret"],
  ["v1", "ConfigMap"],
  ["v1", "PersistentVolumeClaim"],
  ["v1", "ServiceAccount"],
  ["apps/v1", "Deployment"],
  ["apps/v1", "StatefulSet"],
  ["apps/v1", "DaemonSet"],
  ["batch/v1", "CronJob"],
] as const;

/** Namespaces of ours with what others have in them: `Secret flux-system/sops-age`. */
async function namespacesInUse(
  entries: readonly Entry[],
  api: Pick<ObjectApi, "list">,
): Promise<ReadonlyMap<string, string>> {
  const own = new Set(entries.map(textOf));
  const used = new Map<string, string>();
  for (const { name } of entries.filter(({ kind }) => kind === "Namespace")) {
    const lists = await Promise.all(looked.map(([version, kind]) => api.list(version, kind, name)));
    const others = lists.flat().filter((object) => !own.has(textOf(refOf(object))) && !isKubernetes(object));
    if (others.length > 0) used.set(name, showSome(others.map((object) => textOf(refOf(object)))));
  }
  return used;
}

function isKubernetes(object: ApiObject): boolean {
  const { kind, name } = refOf(object);
  return (
    (kind === "ConfigMap" && name === "kube-root-ca.crt") ||
    (kind === "ServiceAccount" && name === "default") ||
    (kind === "Secret" && object["type"] === "kubernetes.io/service-account-token")
  );
}

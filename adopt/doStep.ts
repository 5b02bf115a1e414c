import { fluxInstanceGroup } from "../flux/fluxInstance.ts";
import type { ApiObject, AzureAccess, ObjectApi } from "../status/index.ts";
import { asMap } from "../values/maps.ts";
import { letGoInAzure, removeInAzure } from "./azure.ts";
import { letGoSpec, type Old, onCluster, sourcesOf, type Step } from "./nextStep.ts";
import { adoptedBy } from "./roots.ts";
import { type OldRoot, operatorMark } from "./stock.ts";

const kustomization = { apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization" };
const gitRepository = { apiVersion: "source.toolkit.fluxcd.io/v1", kind: "GitRepository" };
const fluxInstance = { apiVersion: `${fluxInstanceGroup}/v1`, kind: "FluxInstance" };
const manager = "arcflux-adopt";

/** What a step is done on. */
export interface World {
  readonly api: ObjectApi;
  /** Behind Azure alone. */
  readonly azure?: AzureAccess;
  /** The new one; what is let go is marked with it. */
  readonly bootstrap: string;
}

/** Does what a step does, having looked once more that it is safe. Returns what was done, a line each. */
export async function doStep(step: Step, world: World): Promise<string[]> {
  if (step.kind === "letGo") return letGo(step.old, world);
  return step.kind === "remove" ? remove(step.old, world) : [];
}

async function letGo(old: Old, { api, azure, bootstrap }: World): Promise<string[]> {
  const done: string[] = [];
  const { instance } = old;
  // Whoever makes a root anew goes first: it would take back what is told to the root.
  if (instance !== undefined && !instance.isPaused) {
    const { name, namespace } = instance;
    const annotations = { [operatorMark]: "disabled" };
    await api.apply({ ...fluxInstance, metadata: { name, namespace, annotations } }, manager);
    done.push(`flux-operator leaves FluxInstance ${name} alone.`);
  }
  for (const configuration of old.configurations) {
    if (configuration.suspended && configuration.pruning.length === 0) continue;
    await letGoInAzure(configuration, azure!);
    done.push(`Azure's configuration ${configuration.name} is suspended and deletes nothing any more.`);
  }
  for (const root of onCluster(old)) {
    const { name, namespace } = root;
    const metadata = { name, namespace, annotations: { [adoptedBy]: bootstrap } };
    await api.apply({ ...kustomization, metadata, spec: letGoSpec(root) }, manager);
    done.push(`${name} is suspended and deletes nothing any more.`);
  }
  return done;
}

async function remove(old: Old, { api, azure }: World): Promise<string[]> {
  // Flux deletes what a Kustomization applied unless it is suspended or does not prune, and asks no second time.
  for (const root of old.goes) {
    const there = await api.read(refOf(root));
    if (there !== undefined && !isSafe(there))
      throw new Error(
        `${root.name} prunes again; nothing was removed. Call again, which takes that step first.`,
      );
  }
  const done: string[] = [];
  // Sources first: they are known by what takes them, so that a kill in between leaves none behind.
  for (const source of sourcesOf(old))
    if (await api.remove({ ...gitRepository, ...source }))
      done.push(`GitRepository ${source.name} is removed; nothing that stays takes it.`);
  for (const root of onCluster(old))
    if (await api.remove(refOf(root)))
      done.push(`Kustomization ${root.name} is removed; what it applied stays.`);
  for (const configuration of old.configurations) {
    await removeInAzure(configuration, azure!);
    done.push(`Azure's configuration ${configuration.name} is removed; what it applied stays.`);
  }
  return done;
}

function refOf({ namespace, name }: OldRoot) {
  return { ...kustomization, namespace, name };
}

function isSafe(root: ApiObject): boolean {
  const spec = asMap(root["spec"]);
  return spec["suspend"] === true && spec["prune"] !== true && spec["deletionPolicy"] !== "Delete";
}

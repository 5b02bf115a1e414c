import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "./clusterApi.ts";

/** Kinds whose controllers do not run here: whatever is written of them is accepted, and nothing acts on it. */
const absent: readonly { group: string; kind: string; versions: readonly string[] }[] = [
  { group: "notification.toolkit.fluxcd.io", kind: "Provider", versions: ["v1beta3"] },
  { group: "notification.toolkit.fluxcd.io", kind: "Alert", versions: ["v1beta3"] },
  { group: "notification.toolkit.fluxcd.io", kind: "Receiver", versions: ["v1"] },
  { group: "helm.toolkit.fluxcd.io", kind: "HelmRelease", versions: ["v2"] },
];

/**
 * Flux's CustomResourceDefinitions: those in the given folders, which come with the controllers, and permissive ones for
 * kinds whose controllers are absent. Throws when a folder holds none.
 */
export function fluxCrds(folders: readonly string[]): KubernetesObject[] {
  const published = folders.flatMap(readCrds);
  return [...published, ...absent.map(permissive)];
}

/** The CustomResourceDefinitions of a folder. Throws when it holds none. */
export function readCrds(folder: string): KubernetesObject[] {
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  } catch {
    // Told below.
  }
  const objects = names
    .sort()
    .flatMap((name) => parseAllDocuments(readFileSync(path.join(folder, name), "utf8")))
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object?.kind === "CustomResourceDefinition") as KubernetesObject[];
  if (objects.length === 0) {
    throw new Error(
      `${folder} holds no CustomResourceDefinition: the controller it belongs to came without its own. Remove what is there of it, and run \`npm run setup\` again.`,
    );
  }
  return objects;
}

function permissive({ group, kind, versions }: (typeof absent)[number]): KubernetesObject {
  const plural = `${kind.toLowerCase()}s`;
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
        subresources: { status: {} },
      })),
    },
  };
}

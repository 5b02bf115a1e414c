import { textsIn } from "../values/maps.ts";
import type { ImportedObject } from "./documents.ts";
import type { NotTaken } from "./notTaken.ts";
import { nameOf } from "./readCluster.ts";

const manifest = /^\s*apiVersion: *["']?kustomize\.toolkit\.fluxcd\.io\//m;
const kustomization = /^\s*kind: *["']?Kustomization\b/m;

/** Objects of other tools that hold a Kustomization of Flux as text, such as a template: what comes of it stands elsewhere. */
export function filledInElsewhere(objects: readonly ImportedObject[]): NotTaken[] {
  return objects.flatMap((object) => {
    // Texts in Flux's own objects are patches.
    if (object.apiVersion.includes("fluxcd.")) return [];
    const texts = [...textsIn(object.value)];
    if (!texts.some((text) => manifest.test(text) && kustomization.test(text))) return [];
    const { file, kind } = object;
    return [{ file, path: `${kind} ${nameOf(object)}`, reason, matter: "object" }];
  });
}

const reason =
  "is left out: it holds a Kustomization of Flux as text, which another tool fills in; import the repository or the cluster that the result goes to";

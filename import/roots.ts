import type { ImportedObject } from "./documents.ts";
import { normalFolder } from "../build/index.ts";
import { fluxInstanceGroup, instanceSync } from "../flux/fluxInstance.ts";
import { asMap as map, asText as text } from "../values/maps.ts";
import { folderOf, isInside, nameOf } from "../values/path.ts";

/** What brings a folder to a cluster today: the Kustomization that everything else comes from, and its source. */
export interface Root {
  /** Folder that it applies, from the root of the repository. */
  readonly folder: string;
  /** How messages name it: `Kustomization flux-system`. */
  readonly label: string;
  readonly name: string;
  readonly file: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** Name of the GitRepository that it takes the folder from. */
  readonly source: string;
  /** Spec of that GitRepository, where the root says it itself. */
  readonly sourceSpec?: Readonly<Record<string, unknown>>;
}

/** What `flux bootstrap` and flux-operator call the GitRepository and the Kustomization that they make. */
export const bootstrapName = "flux-system";

/**
 * The roots among objects: Kustomizations that apply the very file which they stand in, as `flux bootstrap` leaves them, and
 * what flux-operator makes of a FluxInstance. In the order of their folders; of several for one folder the one that its tool made, or
 * the first.
 */
export function rootsOf(objects: readonly ImportedObject[]): Root[] {
  const found = new Map<string, Root>();
  for (const object of [...objects.filter(isMade), ...objects.filter((each) => !isMade(each))]) {
    const root = isFluxInstance(object) ? rootOfInstance(object) : rootOfKustomization(object);
    if (root !== undefined && !found.has(root.folder)) found.set(root.folder, root);
  }
  return [...found.values()].sort((one, other) => (one.folder < other.folder ? -1 : 1));
}

/** Whether it is what `flux bootstrap` or flux-operator brought to the cluster. */
function isMade(object: ImportedObject): boolean {
  return nameOf(folderOf(object.file)) === bootstrapName || isFluxInstance(object);
}

function rootOfKustomization(object: ImportedObject): Root | undefined {
  if (object.kind !== "Kustomization" || !object.apiVersion.startsWith("kustomize.toolkit.fluxcd.io/"))
    return undefined;
  const name = text(map(object.value["metadata"])["name"]);
  const spec = map(object.value["spec"]);
  const sourceRef = map(spec["sourceRef"]);
  const source = text(sourceRef["name"]);
  if (name === undefined || source === undefined || sourceRef["kind"] !== "GitRepository") return undefined;
  const folder = normalFolder(text(spec["path"]) ?? "");
  if (!isInside(object.file, folder)) return undefined;
  return { folder, label: `Kustomization ${name}`, name, file: object.file, spec, source };
}

export function isFluxInstance({ kind, apiVersion }: Pick<ImportedObject, "kind" | "apiVersion">): boolean {
  return kind === "FluxInstance" && apiVersion.startsWith(`${fluxInstanceGroup}/`);
}

function rootOfInstance({ file, value }: ImportedObject): Root | undefined {
  const sync = instanceSync(map(value["spec"]), text(map(value["metadata"])["namespace"]));
  if (sync === undefined || sync.source["url"] === "") return undefined;
  const { name, spec, source } = sync;
  const folder = normalFolder(text(spec["path"]) ?? "");
  return { folder, label: "FluxInstance flux", name, file, spec, source: name, sourceSpec: source };
}

import type { ImportedObject } from "./documents.ts";
import { normalFolder } from "../build/index.ts";
import { instanceSync } from "../flux/fluxInstance.ts";
import { fluxNamespace } from "../fleet/model.ts";
import { asMap as map, asText as text } from "../values/maps.ts";
import { folderOf, fullPath, isInside, nameOf } from "../values/path.ts";
import { type Sync, syncsOf } from "./syncs.ts";
import { isKustomization } from "./isKustomization.ts";

/** A source by its name on the cluster. */
export interface SourceName {
  readonly kind: "GitRepository" | "OCIRepository";
  readonly name: string;
  /** Where that is not flux-system. */
  readonly namespace?: string;
}

/** What brings a folder to a cluster today: the Kustomization that everything else comes from, and its source. */
export interface Root {
  /** Folder that it applies, from the root of its source. */
  readonly folder: string;
  /** Folder of the repository that its source is made from: that of an artifact may be any. Empty for the root. */
  readonly base: string;
  /** How messages name it: `Kustomization flux-system`. */
  readonly label: string;
  readonly name: string;
  /** Defaults to flux-system. */
  readonly namespace?: string;
  readonly file: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** What it takes the folder from. */
  readonly source: SourceName;
  /** Spec of that source, where the root says it itself. */
  readonly sourceSpec?: Readonly<Record<string, unknown>>;
  /** Patches of flux-operator for what it makes, the root and its source among that. */
  readonly patches?: readonly unknown[];
}

/** What `flux bootstrap` and flux-operator call the GitRepository and the Kustomization that they make. */
export const bootstrapName = "flux-system";

/** What a cluster takes its folder from where nothing says it. */
export const usualSource: SourceName = { kind: "GitRepository", name: bootstrapName };

/**
 * The roots among objects: Kustomizations that apply the very file which they stand in, as `flux bootstrap` leaves them, and
 * what flux-operator makes of a FluxInstance or of the values of its chart. In the order of their folders; of several for one
 * folder the one that its tool made, or the first. `files` are texts by path.
 */
export function rootsOf(
  objects: readonly ImportedObject[],
  files: Readonly<Record<string, string>> = {},
): Root[] {
  const found = new Map<string, Root>();
  const kustomizations = objects.flatMap((object) => rootOfKustomization(object) ?? []);
  const isMade = ({ file }: Root): boolean => nameOf(folderOf(file)) === bootstrapName;
  const all = [
    ...syncsOf(objects, files).flatMap((sync) => rootOfSync(sync, files) ?? []),
    ...kustomizations.filter(isMade),
    ...kustomizations.filter((each) => !isMade(each)),
  ];
  for (const root of all) if (!found.has(folderOfRoot(root))) found.set(folderOfRoot(root), root);
  return [...found.values()].sort((one, other) => (folderOfRoot(one) < folderOfRoot(other) ? -1 : 1));
}

/** Folder of the repository that a root applies. */
export function folderOfRoot({ base, folder }: Pick<Root, "base" | "folder">): string {
  return folder === "" ? base : fullPath(base, folder);
}

/** The source that a reference of an object names; undefined for another kind. */
export function sourceNamed(
  { kind, name, namespace }: Readonly<Record<string, unknown>>,
  own: unknown,
): SourceName | undefined {
  if ((kind !== "GitRepository" && kind !== "OCIRepository") || text(name) === undefined) return undefined;
  const where = text(namespace) ?? text(own) ?? fluxNamespace;
  return { kind, name: text(name)!, ...(where !== fluxNamespace && { namespace: where }) };
}

/** Whether a reference names a source. */
export function isNamed(
  reference: { readonly kind: string; readonly name: string; readonly namespace?: string | undefined },
  { kind, name, namespace }: SourceName,
): boolean {
  const where = reference.namespace === fluxNamespace ? undefined : reference.namespace;
  return reference.kind === kind && reference.name === name && where === namespace;
}

function rootOfKustomization(object: ImportedObject): Root | undefined {
  if (!isKustomization(object)) return undefined;
  const { name: stated, namespace } = map(object.value["metadata"]);
  const name = text(stated);
  const spec = map(object.value["spec"]);
  const source = sourceNamed(map(spec["sourceRef"]), namespace);
  if (name === undefined || source === undefined) return undefined;
  const folder = normalFolder(text(spec["path"]) ?? "");
  if (!isInside(object.file, folder)) return undefined;
  return {
    ...{ folder, base: "", label: `Kustomization ${name}`, name, file: object.file, spec, source },
    ...(text(namespace) !== undefined && { namespace: text(namespace)! }),
  };
}

function rootOfSync(
  { label, file, namespace, instance, patches }: Sync,
  files: Readonly<Record<string, string>>,
): Root | undefined {
  const sync = instanceSync(instance, namespace);
  if (sync === undefined || sync.source["url"] === "" || isTemplate(sync.source)) return undefined;
  const { kind, name, spec, source } = sync;
  const folder = normalFolder(text(spec["path"]) ?? "");
  return {
    ...{ folder, label, name, file, spec },
    base: kind === "OCIRepository" ? baseOf(folder, file, files) : "",
    source: { kind, name },
    sourceSpec: source,
    ...(patches.length > 0 && { patches }),
  };
}

/** Whether something is left to be filled in. */
function isTemplate(source: Readonly<Record<string, unknown>>): boolean {
  return text(source["url"])?.includes("<<") === true;
}

/** The folder around a file in which a path of an artifact is one of the repository; the outermost, or the root. */
function baseOf(folder: string, file: string, files: Readonly<Record<string, string>>): string {
  const paths = Object.keys(files);
  const parts = folderOf(file).split("/");
  const around = parts.map((_, count) => parts.slice(0, count).join("/"));
  return around.find((base) => paths.some((path) => isInside(path, fullPath(base, folder)))) ?? "";
}

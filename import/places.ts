import { normalFolder } from "../build/index.ts";
import { foldersDownTo } from "../checks/foldersDownTo.ts";
import { fluxNamespace } from "../fleet/model.ts";
import { asMap, asText } from "../values/maps.ts";
import { folderOf, isInside } from "../values/path.ts";
import type { ImportedObject } from "./documents.ts";
import { isNamed, folderOfRoot, type Root, type SourceName, sourceNamed, usualSource } from "./roots.ts";
import type { Place } from "./whatApplies.ts";

/** Where a cluster begins, with its folder as the repository has it. */
export interface FoundPlace extends Place {
  readonly repositoryFolder: string;
}

export function placeOfRoot(root: Root, objects: readonly ImportedObject[]): FoundPlace {
  const named = objects.filter((object) => isSource(object, root.source));
  // Several clusters of a repository have sources of one name: the one that lies nearest to the root is its own.
  const nearest =
    named.find(({ file }) => file === root.file) ??
    named.find(({ file }) => isInside(file, folderOfRoot(root)));
  const url = asText(root.sourceSpec?.["url"]) ?? urlOf(nearest);
  return { folder: root.folder, root, follows: root.source, url, repositoryFolder: folderOfRoot(root) };
}

/**
 * Tells of a folder that somebody applies what it takes. The source that stands for the repository is the one that most
 * Kustomizations below the folder take a folder of this repository from. `files` are texts by path.
 */
export function placesWithoutRoot(
  files: Readonly<Record<string, string>>,
  objects: readonly ImportedObject[],
): (folder: string) => FoundPlace {
  const there = new Set(Object.keys(files).flatMap((file) => foldersDownTo(folderOf(file))));
  // Once for all folders: there may be thousands.
  const below = new Map<string, ImportedObject[]>();
  for (const object of objects)
    for (const folder of foldersDownTo(folderOf(object.file))) {
      const known = below.get(folder);
      if (known === undefined) below.set(folder, [object]);
      else known.push(object);
    }
  return (folder) => {
    const inside = below.get(folder) ?? [];
    const follows = mostTaken(inside, there) ?? usualSource;
    const isFollowed = (object: ImportedObject): boolean => isSource(object, follows);
    const url = urlOf(inside.find(isFollowed) ?? objects.find(isFollowed));
    return { folder, root: undefined, follows, url, repositoryFolder: folder };
  };
}

/** The source that most Kustomizations take one of the folders from. */
function mostTaken(objects: readonly ImportedObject[], folders: ReadonlySet<string>): SourceName | undefined {
  const counts = new Map<string, { readonly source: SourceName; count: number }>();
  for (const { kind, value } of objects) {
    if (kind !== "Kustomization") continue;
    const { path, sourceRef } = asMap(value["spec"]);
    const source = sourceNamed(asMap(sourceRef), asMap(value["metadata"])["namespace"]);
    const wanted = normalFolder(asText(path) ?? "");
    if (source === undefined || wanted === "" || !folders.has(wanted)) continue;
    const known = counts.get(JSON.stringify(source)) ?? { source, count: 0 };
    counts.set(JSON.stringify(source), { ...known, count: known.count + 1 });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count)[0]?.source;
}

/** The artifact that flux-operator takes a root from: nothing that the root builds has it, and sets take it. */
export function artifactOf({ file, source, sourceSpec }: Root): readonly ImportedObject[] {
  const { kind, name, namespace = fluxNamespace } = source;
  if (kind !== "OCIRepository" || sourceSpec === undefined) return [];
  const apiVersion = "source.toolkit.fluxcd.io/v1";
  const value = { apiVersion, kind, metadata: { name, namespace }, spec: sourceSpec };
  return [{ file, apiVersion, kind, value, sourceAt: () => undefined }];
}

function isSource({ kind, value }: ImportedObject, source: SourceName): boolean {
  const { name, namespace } = asMap(value["metadata"]);
  return isNamed({ kind, name: asText(name) ?? "", namespace: asText(namespace) }, source);
}

function urlOf(object: ImportedObject | undefined): string {
  return asText(asMap(object?.value["spec"])["url"]) ?? "";
}

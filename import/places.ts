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
 * A folder that somebody applies. The source that stands for the repository is the one that most Kustomizations below the
 * folder take a folder of this repository from. `files` are texts by path.
 */
export function placeWithoutRoot(
  folder: string,
  files: Readonly<Record<string, string>>,
  objects: readonly ImportedObject[],
): FoundPlace {
  const there = new Set(Object.keys(files).flatMap((file) => foldersDownTo(folderOf(file))));
  const counts = new Map<string, { readonly source: SourceName; count: number }>();
  for (const { file, kind, value } of objects) {
    if (kind !== "Kustomization" || !isInside(file, folder)) continue;
    const { path, sourceRef } = asMap(value["spec"]);
    const source = sourceNamed(asMap(sourceRef), asMap(value["metadata"])["namespace"]);
    const wanted = normalFolder(asText(path) ?? "");
    if (source === undefined || wanted === "" || !there.has(wanted)) continue;
    const known = counts.get(JSON.stringify(source)) ?? { source, count: 0 };
    counts.set(JSON.stringify(source), { ...known, count: known.count + 1 });
  }
  const [most] = [...counts.values()].sort((one, other) => other.count - one.count);
  const follows = most?.source ?? usualSource;
  const named = objects.filter((object) => isSource(object, follows));
  const url = urlOf(named.find(({ file }) => isInside(file, folder)) ?? named[0]);
  return { folder, root: undefined, follows, url, repositoryFolder: folder };
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

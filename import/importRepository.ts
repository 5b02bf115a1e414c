import { type Builder, type SourceTree } from "../build/index.ts";
import { foldersDownTo } from "../checks/foldersDownTo.ts";
import { folderOf, isInside } from "../values/path.ts";
import { showNames } from "../values/show.ts";
import { type BuiltPlace, builtBelow, partsOfBuilds } from "./builtPlaces.ts";
import { clusterNames } from "./clusterNames.ts";
import { appsIn } from "./apps.ts";
import { clusterVariables } from "./clusterVariables.ts";
import { commentsOf, lostComments } from "./comments.ts";
import { type ImportedObject, objectsOf } from "./documents.ts";
import { filesBelow } from "./filesBelow.ts";
import { filledInElsewhere } from "./filledIn.ts";
import { type Imported, importClusters, type ImportOptions } from "./importClusters.ts";
import { freeFolder, newFolder } from "./newFolder.ts";
import type { NotTaken } from "./notTaken.ts";
import { type FoundCluster, nameOf, placeOf } from "./readCluster.ts";
import { bootstrapOf, defaultConfig, takesFromCluster } from "./repository.ts";
import { rootlessFolders } from "./rootless.ts";
import { patchedRoot } from "./patchedRoot.ts";
import { artifactOf, type FoundPlace, placeOfRoot, placesWithoutRoot } from "./places.ts";
import { rootsOf } from "./roots.ts";
import { reachIn, selfApplied } from "./selfApplied.ts";
import { isFluxInstance } from "./syncs.ts";
import { whatApplies } from "./whatApplies.ts";
import { isKustomization } from "./isKustomization.ts";

/**
 * Turns the clusters of a folder into a fleet file. Never throws for what a file says. Rejects with the tree's own error
 * where it cannot be read.
 */
export async function importRepository(
  tree: SourceTree,
  folder: string,
  builder: Pick<Builder, "build" | "substitute">,
  options: ImportOptions = {},
): Promise<Imported> {
  const { clusters, notTaken, newFolder } = await findClusters(tree, folder, builder);
  return importClusters(clusters, { ...options, newFolder }, notTaken);
}

/** Clusters of a repository, and what there is to say of it. */
export interface FoundClusters {
  readonly clusters: readonly FoundCluster[];
  readonly notTaken: NotTaken[];
  /** Where their generated files may lie. */
  readonly newFolder: string;
}

/**
 * The clusters of a folder: one for each root in it, or, where no file of it says what brings it to a cluster, the folder
 * itself or those in it that nothing else applies. What a cluster has is what Flux builds of it, not what lies there.
 */
export async function findClusters(
  tree: SourceTree,
  folder: string,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<FoundClusters> {
  const { files, unread } = await filesBelow(tree, folder);
  const notTaken: NotTaken[] = [...unread];
  const parsed = Object.entries(files).flatMap(([file, text]) => {
    if (!text.includes("fluxcd.")) return [];
    const { objects, notTaken: faults } = objectsOf(file, text);
    notTaken.push(...faults);
    return objects;
  });
  notTaken.push(...filledInElsewhere(parsed));
  const flux = parsed.filter(isFluxObject);
  const byFile = Map.groupBy(parsed, ({ file }) => file);
  const reach = reachIn(tree);
  const candidates = await selfApplied(tree, rootsOf(parsed, files), flux, reach, builder);
  const roots = await Promise.all(candidates.map((root) => patchedRoot(root, builder, notTaken)));
  const build = async (place: FoundPlace): Promise<BuiltPlace> => {
    return { place, applies: place.repositoryFolder, found: await whatApplies(tree, place, builder) };
  };
  const placeWithoutRoot = placesWithoutRoot(files, flux);
  const building =
    roots.length > 0
      ? await Promise.all(roots.map((root) => build(placeOfRoot(root, flux))))
      : await builtBelow(
          rootlessFolders(folder, files, flux),
          (applies) => build(placeWithoutRoot(applies)),
          { deeper: (applies) => rootlessFolders(applies, files, flux, "below"), notTaken },
        );
  const names = clusterNames(building.map(({ applies }) => applies));

  const clusters: FoundCluster[] = [];
  const applied = new Set<string>();
  const unseen = new Map<string, string>();
  const apps = await Promise.all(
    building.map(({ found, place }, index) =>
      "fault" in found
        ? Promise.resolve(undefined)
        : appsIn(tree, found.objects, place.follows, `${newFolder}/${names[index]!}`, builder),
    ),
  );
  const broughtSomewhere = new Set(
    building.flatMap(({ found }) => ("fault" in found ? [] : [...found.sources.keys()])),
  );
  for (const [index, { place, applies, found }] of building.entries()) {
    const { root } = place;
    if ("fault" in found) {
      notTaken.push({ file: "", path: applies || ".", reason: found.fault, matter: "folder" });
      if (root !== undefined) bootstrapOf(root, defaultConfig, notTaken);
      for (const { file } of flux) if (isInside(file, applies)) applied.add(file);
      continue;
    }
    for (const file of found.files) applied.add(file);
    for (const [set, path] of found.unseen) unseen.set(set, path);
    const beside = new Set<string>();
    const isOwn = ({ kind, value }: Pick<ImportedObject, "kind" | "value">): boolean =>
      kind === place.follows.kind && nameOf({ value }) === place.follows.name;
    const objects = found.objects.filter((object) => {
      const key = `${object.kind} ${placeOf(object.value)}`;
      if (broughtSomewhere.has(key) && !isOwn(object)) {
        const path = `${object.kind} ${nameOf(object)}`;
        const bringer = found.sources.get(key);
        const [reason, matter] =
          bringer === undefined
            ? ([broughtElsewhere, "object"] as const)
            : ([broughtBy(bringer), "know"] as const);
        notTaken.push({ file: object.file, path, reason, matter });
        return false;
      }
      if (root === undefined || !takesFromCluster(root.spec) || !isFluxObject(object)) return true;
      const names = clusterVariables(object.value, written(byFile, object)?.value);
      if (names.length === 0) return true;
      beside.add(placeOf(object.value));
      notTaken.push({
        file: object.file,
        path: `${object.kind} ${nameOf(object)}`,
        reason: ofCluster(names),
        matter: "object",
      });
      return false;
    });
    clusters.push({
      name: names[index]!,
      folder: applies,
      place,
      root,
      follows: place.follows,
      objects: [
        ...(root === undefined ? [] : artifactOf(root)),
        ...objects.map((object) => ({ ...object, sourceAt: textIn(byFile, object) })),
      ],
      nested: beside,
      inner: found.inner.map(({ object, parent }) => ({
        object: { ...object, sourceAt: textIn(byFile, object) },
        parent,
        written: written(byFile, object)?.value,
      })),
      apps: apps[index]?.entries,
      comments: await commentsIn(
        tree,
        applies,
        [...filesOf([...objects, ...found.inner.map(({ object }) => object)]), ...(apps[index]?.files ?? [])],
        files,
      ),
    });
  }
  // What flux-operator makes of an instance stands in no file that a root builds.
  const left = flux.filter(({ file }) => !applied.has(file) && !roots.some((root) => root.file === file));
  const isPart = left.length > 0 ? await partsOfBuilds(building, reach) : () => false;
  for (const object of left) {
    if (isPart(object)) continue;
    const [set] = [...unseen].find(([, path]) => isInside(object.file, path)) ?? [];
    notTaken.push({
      file: object.file,
      path: `${object.kind} ${nameOf(object)}`,
      reason: set === undefined ? asleep : unknown(set),
      matter: "object",
    });
  }
  const free = await freeFolder(tree, clusters, building);
  if (clusters.length > 0 && free === undefined)
    notTaken.push({ file: ".sourceignore", path: "", reason: ignored, matter: "decide" });
  return { clusters, notTaken, newFolder: free ?? newFolder };
}

const ofCluster = (names: readonly string[]): string =>
  `is left out: it names ${showNames(names)}, whose value only the cluster knows; write the value in its file first`;

const broughtBy = (set: string): string =>
  `stays with set ${set}, which applies it too; sets name it by \`sourceRef\``;

const broughtElsewhere =
  "is left out: a set applies it on other clusters, where a source of the fleet file would be a second one; put its file into the path of a set";

const asleep =
  "is left out: nothing that a root builds has it, so Flux does not apply it today; list its file first if it should run";

const unknown = (set: string): string =>
  `is left out, and stays with ${set} if that applies it: ${set} could not be built here, so look before you rely on it`;

const ignored = `leaves out ${newFolder}/, where generated files will lie, so that clusters would not see them; add the line !/${newFolder}/ to it`;

function isFluxObject(object: Pick<ImportedObject, "apiVersion" | "kind">): boolean {
  const { apiVersion, kind } = object;
  return (
    isKustomization(object) ||
    (apiVersion.startsWith("source.toolkit.fluxcd.io/") &&
      /^(GitRepository|OCIRepository|Bucket)$/.test(kind)) ||
    isFluxInstance(object)
  );
}

function filesOf(
  objects: readonly Pick<ImportedObject, "file" | "apiVersion" | "kind">[],
): readonly string[] {
  return [...new Set(objects.filter(isFluxObject).map(({ file }) => file))];
}

/** What is lost of comments, by file: of `own`, and of the lists above them that the root reads. */
async function commentsIn(
  tree: SourceTree,
  applies: string,
  own: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const folders = new Set(own.flatMap((file) => foldersDownTo(folderOf(file))));
  const lists = [...folders]
    .filter((folder) => folder === applies || isInside(folder, applies))
    .map((folder) => (folder === "" ? "kustomization.yaml" : `${folder}/kustomization.yaml`));
  const elsewhere = own.filter((file) => files[file] === undefined);
  const read = elsewhere.length === 0 ? [] : await tree.read(elsewhere);
  const texts = [
    ...[...own, ...lists].map((file) => [file, files[file] ?? ""] as const),
    ...[...read].map(([file, content]) => [file, new TextDecoder().decode(content)] as const),
  ];
  return new Map(
    texts.flatMap(([file, text]) => {
      const comments = commentsOf(text);
      return comments === undefined ? [] : [[file, lostComments(comments)] as const];
    }),
  );
}

/** How the file that an object was built from spells its values, where it still has the object by its name. */
function textIn(
  byFile: ReadonlyMap<string, readonly ImportedObject[]>,
  object: Omit<ImportedObject, "sourceAt">,
): ImportedObject["sourceAt"] {
  return written(byFile, object)?.sourceAt ?? (() => undefined);
}

/** An object as its file has it, before kustomize. */
function written(
  byFile: ReadonlyMap<string, readonly ImportedObject[]>,
  object: Omit<ImportedObject, "sourceAt">,
): ImportedObject | undefined {
  const there = (byFile.get(object.file) ?? []).filter(({ kind }) => kind === object.kind);
  return there.find((each) => nameOf(each) === nameOf(object)) ?? (there.length === 1 ? there[0] : undefined);
}

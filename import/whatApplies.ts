import { type Builder, normalFolder, type SourceTree } from "../build/index.ts";
import { clusterState, type ClusterState, treeBelow } from "../checks/applied/index.ts";
import type { PlainMap } from "../fleet/model.ts";
import { asMap, asText } from "../values/maps.ts";
import { fullPath } from "../values/path.ts";
import type { ImportedObject } from "./documents.ts";
import { type Inner } from "./inner.ts";
import { placeOf } from "./readCluster.ts";
import { folderOfRoot, isNamed, type Root, type SourceName } from "./roots.ts";
import { isKustomization } from "./isKustomization.ts";

/** What a root builds today. */
export interface Applied {
  readonly objects: readonly Omit<ImportedObject, "sourceAt">[];
  /** Kustomizations that the sets apply. */
  readonly inner: readonly Inner<Omit<ImportedObject, "sourceAt">>[];
  /** Files that the root or a set of it takes objects from. */
  readonly files: ReadonlySet<string>;
  /** Sources that sets apply, by kind and place, each with a set that does. */
  readonly sources: ReadonlyMap<string, string>;
  /** Folders that the root and its sets apply. */
  readonly folders: ReadonlySet<string>;
  /** Folders of sets that could not be built here, by set: what lies in them may be applied all the same. */
  readonly unseen: ReadonlyMap<string, string>;
}

/** Of what no Kustomization applies: a set may be called like any. */
const noName = "";

/** Newest first among those that leave an undefined variable alone: what a cluster runs is not known from here. */
const version = "2.7";

/** What brings a folder to a cluster, where no file may say it. */
export interface Place {
  /** Folder that is applied, from the root of its source. */
  readonly folder: string;
  readonly root: Root | undefined;
  /** The source that stands for the repository. */
  readonly follows: SourceName;
  /** URL of the repository, where a file says it. */
  readonly url: string;
}

/** What a cluster applies today of the tree of its repository: from its root on, or from a folder. */
export async function stateToday(
  tree: SourceTree,
  { folder, root, follows, url }: Place,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<ClusterState> {
  const whole = treeBelow(tree, root?.base ?? "");
  return clusterState(
    {
      fluxFolder: folder,
      config: follows.name,
      flux: { version, lockdown: false },
      root: {
        name: root?.name ?? noName,
        ...(root?.namespace !== undefined && { namespace: root.namespace }),
        spec: { ...(root?.spec as PlainMap), path: `./${folder}` },
      },
    },
    { tree: whole, branch: "main", url, inSource: (name) => (isNamed(name, follows) ? whole : undefined) },
    builder,
  );
}

/** Builds a folder as its root does, and the sets of the same repository below it; or says why Flux could not. */
export async function whatApplies(
  tree: SourceTree,
  place: Place,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<Applied | { readonly fault: string }> {
  const { root } = place;
  const name = root?.name ?? noName;
  const base = root?.base ?? "";
  const { sets, unbuilt } = await stateToday(tree, place, builder);
  const own = sets.find((set) => set.name === name);
  const fault = unbuilt.find(({ set }) => set === name);
  if (own === undefined)
    return {
      fault: `does not build, so its clusters are left out: ${fault?.message ?? "nothing is there"}. Mend that, then import again`,
    };
  const files = new Set<string>();
  const unseen = new Map<string, string>();
  // What the root applies itself stays its own, also where a second root applies it once more.
  const direct = new Set(
    own.objects.filter(({ object }) => isKustomization(object)).map(({ object }) => placeOf(object)),
  );
  const dark = new Set(unbuilt.map((each) => each.set));
  const known = (object: PlainMap, file: string): Omit<ImportedObject, "sourceAt"> => ({
    file: fullPath(base, file),
    apiVersion: asText(object["apiVersion"]) ?? "",
    kind: asText(object["kind"]) ?? "",
    value: object,
  });
  const inner: Inner<Omit<ImportedObject, "sourceAt">>[] = [];
  const sources = new Map<string, string>();
  for (const set of sets)
    for (const { object, file } of set.objects) {
      files.add(fullPath(base, file));
      const called = nameOf(object);
      if (set !== own && isSource(object))
        sources.set(`${asText(object["kind"])} ${placeOf(object)}`, set.name);
      if (!isKustomization(object)) continue;
      if (dark.has(called))
        unseen.set(
          called,
          folderOfRoot({ base, folder: normalFolder(asText(asMap(object["spec"])["path"]) ?? "") }),
        );
      if (set !== own && !direct.has(placeOf(object)))
        inner.push({ object: known(object, file), parent: set.name });
    }
  return {
    objects: own.objects.map(({ object, file }) => known(object, file)),
    inner,
    files,
    sources,
    folders: new Set(
      [place.folder, ...sets.map(({ spec }) => normalFolder(asText(spec["path"]) ?? ""))].map((folder) =>
        folderOfRoot({ base, folder }),
      ),
    ),
    unseen,
  };
}

function nameOf(object: Readonly<Record<string, unknown>>): string {
  return asText(asMap(object["metadata"])["name"]) ?? "";
}

function isSource({ apiVersion }: Readonly<Record<string, unknown>>): boolean {
  return (asText(apiVersion) ?? "").startsWith("source.toolkit.fluxcd.io/");
}

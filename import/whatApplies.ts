import { type Builder, normalFolder, type SourceTree } from "../build/index.ts";
import { clusterState } from "../checks/applied/index.ts";
import { asMap, asText } from "../values/maps.ts";
import type { ImportedObject } from "./documents.ts";
import { placeOf } from "./readCluster.ts";
import { bootstrapName, type Root } from "./roots.ts";

/** What a root builds today. */
export interface Applied {
  readonly objects: readonly Omit<ImportedObject, "sourceAt">[];
  /** Kustomizations that the sets apply, as `namespace/name`. */
  readonly nested: ReadonlySet<string>;
  /** Files that the root or a set of it takes objects from. */
  readonly files: ReadonlySet<string>;
  /** Folders that the root and its sets apply. */
  readonly folders: ReadonlySet<string>;
  /** Folders of sets that could not be built here, by set: what lies in them may be applied all the same. */
  readonly unseen: ReadonlyMap<string, string>;
}

/** Newest first among those that leave an undefined variable alone: what a cluster runs is not known from here. */
const version = "2.7";

/** Builds a folder as its root does, and the sets of the same repository below it; or says why Flux could not. */
export async function whatApplies(
  tree: SourceTree,
  folder: string,
  root: Root | undefined,
  url: string,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<Applied | { readonly fault: string }> {
  const name = root?.name ?? bootstrapName;
  const spec = { ...root?.spec, path: `./${folder}` };
  const { sets, unbuilt } = await clusterState(
    {
      fluxFolder: folder,
      config: root?.source ?? bootstrapName,
      flux: { version, lockdown: false },
      root: { name, spec },
    },
    { tree, branch: "main", url },
    builder,
  );
  const own = sets.find((set) => set.name === name);
  const fault = unbuilt.find(({ set }) => set === name);
  if (own === undefined)
    return {
      fault: `does not build, so its clusters are left out: ${fault?.message ?? "nothing is there"}. Mend that, then import again`,
    };
  const nested = new Set<string>();
  const files = new Set<string>();
  const unseen = new Map<string, string>();
  // What the root applies itself stays its own, also where a second root applies it once more.
  const direct = new Set(
    own.objects.filter(({ object }) => isSet(object)).map(({ object }) => placeOf(object)),
  );
  const dark = new Set(unbuilt.map((each) => each.set));
  for (const set of sets)
    for (const { object, file } of set.objects) {
      files.add(file);
      const called = nameOf(object);
      if (!isSet(object)) continue;
      if (dark.has(called)) unseen.set(called, normalFolder(asText(asMap(object["spec"])["path"]) ?? ""));
      if (set !== own && !direct.has(placeOf(object))) nested.add(placeOf(object));
    }
  return {
    objects: own.objects.map(({ object, file }) => ({
      file,
      apiVersion: asText(object["apiVersion"]) ?? "",
      kind: asText(object["kind"]) ?? "",
      value: object,
    })),
    nested,
    files,
    folders: new Set([folder, ...sets.map(({ spec }) => normalFolder(asText(spec["path"]) ?? ""))]),
    unseen,
  };
}

function nameOf(object: Readonly<Record<string, unknown>>): string {
  return asText(asMap(object["metadata"])["name"]) ?? "";
}

function isSet({ apiVersion, kind }: Readonly<Record<string, unknown>>): boolean {
  return kind === "Kustomization" && (asText(apiVersion) ?? "").startsWith("kustomize.toolkit.fluxcd.io/");
}

import { type Builder, normalFolder, reachedFiles, sourceView, type SourceTree } from "../build/index.ts";
import { asMap, asText } from "../values/maps.ts";
import { folderOf, isInside, nameOf as lastName } from "../values/path.ts";
import type { ImportedObject } from "./documents.ts";
import { nameOf } from "./readCluster.ts";
import { bootstrapName, folderOfRoot, type Root, sourceNamed, usualSource } from "./roots.ts";
import { isKustomization } from "./isKustomization.ts";

/** Files that a build of a folder may look at; undefined where that cannot be told. */
export type Reach = (folder: string) => Promise<ReadonlySet<string> | undefined>;

export function reachIn(tree: SourceTree): Reach {
  const view = sourceView(tree);
  const known = new Map<string, ReturnType<Reach>>();
  return (folder) => {
    const found = known.get(folder) ?? reachedFiles(view, folder);
    known.set(folder, found);
    return found;
  };
}

/**
 * The roots among those that may be, with those that come out of the very folder which they apply although their file lies
 * elsewhere, or only patches them. What another root's folder lists, and its own does not, is a set and no root. Each has the
 * spec that the build of its folder gives it.
 */
export async function selfApplied(
  tree: SourceTree,
  candidates: readonly Root[],
  objects: readonly ImportedObject[],
  reach: Reach,
  builder: Pick<Builder, "build">,
): Promise<readonly Root[]> {
  // What a tool put to the cluster runs there, whatever lists its file.
  const isMade = ({ file, sourceSpec }: Root): boolean =>
    sourceSpec !== undefined || lastName(folderOf(file)) === bootstrapName;
  const built = await Promise.all(
    candidates.map(async (root) => {
      if (root.sourceSpec !== undefined) return root;
      const isListed = (await reach(folderOfRoot(root)))?.has(root.file) ?? false;
      const inBuild = isListed ? await asBuilt(tree, root, builder) : undefined;
      return inBuild ?? (isMade(root) ? root : undefined);
    }),
  );
  const sure = built.filter((root) => root !== undefined);
  const taken = new Set(sure.map(folderOfRoot));
  const more = await fromElsewhere(tree, objects, taken, reach, builder);
  const reached = await Promise.all([...sure, ...more].map((root) => reach(folderOfRoot(root))));
  const rest = candidates.filter(
    (root, index) => built[index] === undefined && !reached.some((files) => files?.has(root.file)),
  );
  return [...sure, ...more, ...rest].sort((one, other) => (folderOfRoot(one) < folderOfRoot(other) ? -1 : 1));
}

/** Roots that their folder makes of files elsewhere: an overlay for each cluster names the folder in a patch. */
async function fromElsewhere(
  tree: SourceTree,
  objects: readonly ImportedObject[],
  taken: ReadonlySet<string>,
  reach: Reach,
  builder: Pick<Builder, "build">,
): Promise<readonly Root[]> {
  const found = new Map<string, Root>();
  await Promise.all(
    objects.map(async ({ file, kind, value }) => {
      const { path, sourceRef } = asMap(value["spec"]);
      const folder = normalFolder(asText(path) ?? "");
      if (kind !== "Kustomization" || folder === "" || taken.has(folder)) return;
      if (isInside(file, folder) && sourceRef !== undefined) return;
      if (!(await reach(folder))?.has(file)) return;
      const name = nameOf({ value });
      const stated = {
        folder,
        base: "",
        label: `Kustomization ${name}`,
        name,
        file,
        spec: {},
        source: usualSource,
      };
      const root = await asBuilt(tree, stated, builder);
      if (root !== undefined) found.set(folder, root);
    }),
  );
  return [...found.values()];
}

/** A root as the build of its folder has it; undefined where that does not build, or has no such Kustomization. */
async function asBuilt(
  tree: SourceTree,
  root: Root,
  builder: Pick<Builder, "build">,
): Promise<Root | undefined> {
  const [outcome] = await builder.build([{ tree, view: {}, spec: { path: `./${root.folder}` } }]);
  if (outcome?.kind !== "built") return undefined;
  const object = outcome.objects
    .map((each) => each.object)
    .find(
      (each) =>
        isKustomization(each) &&
        nameOf({ value: each }) === root.name &&
        normalFolder(asText(asMap(each["spec"])["path"]) ?? "") === root.folder,
    );
  const spec = asMap(object?.["spec"]);
  const source = sourceNamed(asMap(spec["sourceRef"]), asMap(object?.["metadata"])["namespace"]);
  return source === undefined ? undefined : { ...root, spec, source };
}

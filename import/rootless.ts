import { normalFolder } from "../build/index.ts";
import { foldersDownTo } from "../checks/foldersDownTo.ts";
import { asMap, asText } from "../values/maps.ts";
import { folderOf, isInside } from "../values/path.ts";
import type { ImportedObject } from "./documents.ts";

/**
 * Folders that clusters apply, where no file says which: from `folder` down, the first on each way with files of its own
 * among which, or below which, stand Kustomizations that no other one applies. `files` are texts by path. "below" asks for
 * those below `folder` alone; none where what stands in it cannot be told apart from it.
 */
export function rootlessFolders(
  folder: string,
  files: Readonly<Record<string, string>>,
  flux: readonly ImportedObject[],
  where: "here" | "below" = "here",
): readonly string[] {
  const sets = flux.filter(({ kind }) => kind === "Kustomization");
  const components = Object.keys(files)
    .filter((file) => /(^|\/)kustomization\.ya?ml$/.test(file) && /^kind: *Component\b/m.test(files[file]!))
    .map(folderOf);
  const applied = appliedFolders(sets);
  // Hidden folders are where people put away what runs no more.
  const isHead = (object: ImportedObject): boolean =>
    !foldersDownTo(folderOf(object.file)).some((path) => applied.has(path)) &&
    !/(^|\/)\./.test(object.file) &&
    !components.some((component) => isInside(object.file, component));
  const first = sets.filter(isHead);
  const all = (first.length > 0 ? first : flux).map(({ file }) => file);
  const heads = [...new Set(all)].filter((file) => isInside(file, folder));
  const withFiles = new Set(
    Object.entries(files).flatMap(([file, text]) => (/^kind:/m.test(text) ? [folderOf(file)] : [])),
  );
  if (where === "below" && heads.some((file) => folderOf(file) === folder)) return [];
  if (where === "below") withFiles.delete(folder);
  return below(folder, heads, withFiles);
}

function below(folder: string, heads: readonly string[], withFiles: ReadonlySet<string>): readonly string[] {
  if (heads.length === 0) return [];
  const inside = folder === "" ? "" : `${folder}/`;
  const children = Map.groupBy(heads, (file) => file.slice(inside.length).split("/").slice(0, -1)[0] ?? "");
  // Objects beside the folder with Flux's are applied with it; at the top of a repository lies anything.
  if (children.has("") || (folder !== "" && withFiles.has(folder))) return [folder];
  return [...children].sort().flatMap(([name, own]) => below(`${inside}${name}`, own, withFiles));
}

/** Folders that Kustomizations of the tree apply, each from outside of it; the whole tree is none. */
function appliedFolders(sets: readonly ImportedObject[]): ReadonlySet<string> {
  return new Set(
    sets.flatMap(({ file, value }) => {
      const path = normalFolder(asText(asMap(value["spec"])["path"]) ?? "");
      return path === "" || isInside(file, path) ? [] : [path];
    }),
  );
}

import type { Path } from "./finding.ts";

/** Sections whose entries may hold variables, pins and the like. */
const layered = new Set<string | number>(["stages", "groups", "clusters"]);

/**
 * Values that are text from the source whatever they look like, so that `0042` stays `0042` and `2.10` is not a number:
 * variables, attributes, versions, settings and sizes of Azure's extension, names under `removed`, and those of tags and
 * commits.
 */
export function isText(path: Path): boolean {
  const depth = path.length;
  const last = path[depth - 1];
  const parent = path[depth - 2];
  const inLayer = depth > 3 && layered.has(path[0]!);
  if (parent === "flux" && last === "version") return depth === 2 || (depth === 4 && inLayer);
  if (path[0] === "removed") return true;
  const extension = inLayer ? path.slice(2) : path;
  if (extension[0] === "arc" && extension[1] === "extension")
    return extension[2] === "settings" || extension[2] === "resources";
  if (depth === 4) {
    if (parent === "variables") return inLayer;
    if (parent === "attributes") return path[0] === "clusters";
    return parent === "ref" && path[0] === "sources";
  }
  if (depth === 5 && path[2] === "pins") return inLayer;
  if (isFree(path)) return false;
  if (parent === "substitute") return path[depth - 3] === "postBuild";
  return last === "newTag" && typeof parent === "number" && path[depth - 3] === "images";
}

/** Places that hold any YAML at all, which goes to the cluster as it is: patches and values of apps. */
export function isFree(path: Path): boolean {
  if (path[2] !== "apps") return false;
  const field = path[4] === "patches" ? path[6] : path[4];
  return field === "patch" || field === "values";
}

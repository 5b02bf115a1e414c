import { posix } from "node:path";

import { checkEachKnown } from "./checkEachKnown.ts";
import { eachCommittedFile, isYaml } from "./committedFiles.ts";
import { asMap, asText, type PlainMap } from "./plainValue.ts";
import { commonFolder, repositoryPath } from "./repositoryPath.ts";

const kustomizations = "kustomize.toolkit.fluxcd.io";

/**
 * Folders, from the root of the repository, that a bootstrap may point at to apply what a GitFiles commits: the one
 * folder of its Flux Kustomizations; without any (a cluster without sets, or where only the paths written are known) each
 * folder that holds a YAML file, or else any file; without any, the one it says is followed. Throws when that depends on values not known yet.
 */
export function fluxFolders(props: PlainMap): string[] {
  const directory = asText(props["directory"]) ?? "";
  const found = kustomizationFolder(props);
  const folders = found === undefined ? foldersByPath(props) : [found];
  return folders.map((folder) => repositoryPath(posix.join(directory, folder)));
}

function kustomizationFolder(props: PlainMap): string | undefined {
  const directory = asText(props["directory"]) ?? "";
  const folders = new Set<string>();
  const applied = new Set<string>();
  const steps = eachCommittedFile(props, ({ path, content }) => {
    const found = "objects" in content ? content.objects.filter(({ group }) => group === kustomizations) : [];
    if (found.length > 0) folders.add(repositoryPath(posix.dirname(path)));
    for (const { spec } of found) applied.add(repositoryPath(asText(spec["path"]) ?? ""));
  });
  try {
    checkEachKnown(steps);
  } catch (error) {
    // One file that is known tells the folder as well as all of them.
    if (folders.size === 0) throw error;
  }
  // What another Kustomization applies, such as the sets of a window, is not the bootstrap's.
  const own = [...folders].filter((folder) => !applied.has(repositoryPath(posix.join(directory, folder))));
  return commonFolder(own.length > 0 ? own : [...folders]);
}

function foldersByPath(props: PlainMap): string[] {
  const paths = Object.keys(asMap(props["files"]) ?? asMap(props["blobs"]) ?? {});
  const yaml = paths.filter(isYaml);
  const followed = asText(props["followed"]);
  // Without any file the inventory alone keeps the folder.
  if (paths.length === 0) return followed === undefined ? [] : [followed];
  return [...new Set((yaml.length > 0 ? yaml : paths).map((path) => posix.dirname(path)))];
}

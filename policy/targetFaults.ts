import type { BootstrapTarget } from "./bootstrapTarget.ts";
import { fluxFolders } from "./fluxFolder.ts";
import { asMap, asText, shown, type PlainMap } from "./plainValue.ts";
import { repositoryPath, writtenPath } from "./repositoryPath.ts";
import { repositoryIdentity } from "./repositoryUrl.ts";

/** Whether a configuration depends on another number of GitFiles than the one it is to follow. */
export function dependencyFault(count: number): string | undefined {
  if (count === 1) return undefined;
  return (
    `it depends on ${count} GitFiles; exactly one is needed, so that the files are committed before Flux looks for ` +
    "them. Give it dependsOn with the FluxFolder of its cluster."
  );
}

/** How the path of a bootstrap misses the folder of the committed Flux files; undefined when it does not. */
export function folderFault(target: BootstrapTarget, committed: PlainMap): string | undefined {
  const path = target.path();
  const folders = fluxFolders(committed);
  const allowed = folders.map((folder) => `'${writtenPath(folder)}'`).join(" or ");
  if (folders.length === 0) {
    return "nothing is committed that its bootstrap could apply. Declare a set for the cluster in the fleet file.";
  }
  if (path !== undefined && folders.includes(repositoryPath(path))) return undefined;
  return (
    `kustomizations.bootstrap.path is ${shown(path)}, but the Flux files of the cluster are committed to another ` +
    `folder. Set the path to ${allowed}.`
  );
}

/** How the repository that Flux fetches is not the one committed to. No credential is shown. */
export function repositoryFault(target: BootstrapTarget, committed: PlainMap): string | undefined {
  const followed = identityOf(target.url());
  const written = identityOf(committed["repository"]);
  if (followed !== undefined && followed === written) return undefined;
  return (
    `gitRepository.url is ${shown(followed)}, but the files are committed to ${shown(written)} ` +
    "(both without scheme and credentials). Use the repository of the fleet file for both."
  );
}

/**
 * How the branch that Flux follows is neither the one committed to nor one that files reach by promotion: one of
 * `promoted`, or where that is not given, any that a cluster of a stage follows.
 */
export function branchFault(
  target: BootstrapTarget,
  committed: PlainMap,
  promoted: readonly string[] | undefined,
): string | undefined {
  const followed = target.branch();
  const written = asText(committed["branch"]);
  if (followed !== undefined && followed === written) return undefined;
  const hasStage = asText(asMap(committed["delivery"])?.["stage"]) !== undefined;
  if (followed !== undefined && (promoted?.includes(followed) ?? hasStage)) return undefined;
  return (
    `gitRepository.repositoryRef.branch is ${shown(followed)}, but the files are committed to branch ${shown(written)}. ` +
    "Follow that branch, give the cluster a stage with that branch, or name it in followedBranches of this policy."
  );
}

function identityOf(url: unknown): string | undefined {
  const text = asText(url);
  return text === undefined ? undefined : repositoryIdentity(text);
}

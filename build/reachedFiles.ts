import { CannotJudge, GrowingClosure } from "./closure.ts";
import type { ViewedSource } from "./sourceView.ts";

/**
 * Files that a build of a folder may look at, as far as its kustomization.yaml files tell: what they list, and patches.
 * Undefined where that cannot be told here. Rejects with the tree's own error.
 */
export async function reachedFiles(
  source: ViewedSource,
  folder: string,
): Promise<ReadonlySet<string> | undefined> {
  const closure = new GrowingClosure(source);
  try {
    await closure.addFolder(folder);
  } catch (error) {
    if (error instanceof CannotJudge) return undefined;
    throw error;
  }
  return new Set(closure.files.keys());
}

import type { Fleet } from "../fleet/model.ts";
import { GitError, type TreeReader, withTree } from "../git/index.ts";
import { gitContext } from "./gitContext.ts";

/** Reads what was recorded of clusters on a branch; undefined where nobody keeps a record there. */
export async function withRecord<T>(
  fleet: Fleet,
  branch: string,
  use: (tree: TreeReader) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await withTree({ url: fleet.repository.url, branch }, gitContext(fleet), use);
  } catch (error) {
    if (error instanceof GitError && error.kind === "missingBranch") return undefined;
    throw error;
  }
}

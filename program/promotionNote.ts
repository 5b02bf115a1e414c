import type { Cluster } from "../fleet/model.ts";

/**
 * What to do so that the generated files reach a cluster that follows another branch than the one they are committed to;
 * undefined where it follows that one.
 */
export function promotionNote({ follows }: Pick<Cluster, "follows">, branch: string): string | undefined {
  if (follows === branch) return undefined;
  return `The files are committed to ${branch}; the cluster follows ${follows}, and gets them by promotion: merge ${branch} into ${follows}.`;
}

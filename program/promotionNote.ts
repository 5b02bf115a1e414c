import type { Cluster } from "../fleet/model.ts";

/**
 * What to do so that the generated files reach a cluster that follows another branch than the one they are committed to;
 * undefined where it follows that one, or has all of them. `missing` are the files that its branch lacks, where somebody
 * could look.
 */
export function promotionNote(
  { follows, promotedFrom, stage: own = "" }: Pick<Cluster, "follows" | "promotedFrom" | "stage">,
  branch: string,
  missing?: readonly string[],
): string | undefined {
  if (follows === branch || missing?.length === 0) return undefined;
  const stage = promotedFrom === undefined ? "" : ` from stage ${promotedFrom.stage}`;
  const [first, ...more] = missing ?? [];
  const what =
    first === undefined
      ? `The files are committed to ${branch}; the cluster follows ${follows}`
      : `${follows}, which the cluster follows, lacks ${first}${more.length > 0 ? ` and ${more.length} more` : ""}`;
  return `${what}, and gets them by promotion${stage}: arcflux promote ${own}.`;
}

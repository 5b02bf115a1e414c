import type { Cluster } from "../fleet/model.ts";
import { pathBelow } from "../values/path.ts";

/** Generated files of a cluster with those that stay, which are named from the root of the repository. */
export function withKept(
  { folder }: Cluster,
  files: Readonly<Record<string, string>>,
  kept: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const below = Object.entries(kept).map(([path, text]) => [
    folder === "" ? path : pathBelow(folder, path),
    text,
  ]);
  return below.length === 0 ? files : { ...files, ...(Object.fromEntries(below) as Record<string, string>) };
}

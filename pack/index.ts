/** What a management cluster brings to the clusters that it makes, as files for Cluster API: the only door to pack/. */

export type { Manifests } from "./manifests.ts";
export {
  packFaults,
  packFiles,
  type PackOptions,
  readKeyName,
  strategies,
  type Strategy,
} from "./packFiles.ts";
export { readInput } from "./readInput.ts";
export { unusedManifests } from "./unusedManifests.ts";

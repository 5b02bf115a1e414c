export { findClusters, importRepository } from "./importRepository.ts";
export { importClusters, type Imported, type ImportOptions } from "./importClusters.ts";
export type { NotTaken } from "./notTaken.ts";
export { objectsOf, type ImportedObject } from "./documents.ts";
export { lineOf } from "./notes.ts";
export { foundOnCluster } from "./fromCluster.ts";
export { meaningOf } from "./meaning.ts";
export type { FoundCluster } from "./readCluster.ts";

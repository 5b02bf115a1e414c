export { importRepository } from "./importRepository.ts";
export { importClusters, isUnbuilt, type Imported, type ImportOptions } from "./importClusters.ts";
export { objectsOf, type ImportedObject } from "./documents.ts";
export { lineOf, notesOf } from "./notes.ts";
export { foundOnCluster } from "./fromCluster.ts";
export { meaningOf } from "./meaning.ts";
export type { FoundCluster } from "./readCluster.ts";

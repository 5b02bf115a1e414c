export { askGraph } from "./askGraph.ts";
export { findInAzure, type FoundInAzure, readSuspended } from "./azure.ts";
export { bring } from "./bring.ts";
export { findUnconnected, type Unconnected, unconnectedFaults } from "./connected.ts";
export { findOnCluster, type OnCluster } from "./cluster.ts";
export type { ExistingRow } from "./query.ts";
export { importFile } from "./importFile.ts";
export { azureRefusals, clusterRefusals } from "./refusals.ts";

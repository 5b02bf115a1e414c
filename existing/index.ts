export { findInAzure, type FoundInAzure } from "./azure.ts";
export { findOnCluster, type FoundOnCluster } from "./cluster.ts";
export { importFile } from "./importFile.ts";
export { azureRefusals, clusterRefusals } from "./refusals.ts";

export { checkAzure } from "./azure/checkAzure.ts";
export { needsOf } from "./azure/needs.ts";
export { checkChart } from "./chart.ts";
export { checkClusters, type KubeconfigOf } from "./checkClusters.ts";
export { type Checkup, isHealthy, lookedAt } from "./checkup.ts";
export { examine } from "./examine.ts";
export { checkNetwork } from "./network.ts";
export { checkupText } from "./text.ts";

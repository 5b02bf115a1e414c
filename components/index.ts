/* What a program of one's own builds fleets from: `import { FluxFolder } from "arcflux"`. */

import "./notAProgram.ts";

export type { AgentsChart } from "./agentsChart.ts";
export { EdgeCluster, type EdgeClusterArgs } from "./edgeCluster.ts";
export { FluxBootstrap, type FluxBootstrapArgs } from "./fluxBootstrap.ts";
export { FluxControllers, type FluxControllersArgs } from "./fluxControllers.ts";
export { FluxFolder, type FluxFolderArgs, type SavedInventory } from "./fluxFolder.ts";
export { FluxObjects, type FluxObjectsArgs } from "./fluxObjects.ts";
export type { KubernetesAccess } from "./kubernetesProvider.ts";
export { SimulatedEdgeDevice, type SimulatedEdgeDeviceArgs } from "./simulatedEdgeDevice.ts";
export type { RepositoryAccess } from "./repositoryAccess.ts";
export { GitFiles, type GitFilesArgs } from "../provider/gitFiles.ts";

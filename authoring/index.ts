export { parseTable } from "./csv.ts";
export { type Addition, planClusters } from "./clusterTable.ts";
export { entryText, withCopy } from "./copyEntry.ts";
export { deviceLines, deviceScript, isDeviceScript } from "./deviceScript.ts";
export {
  EditError,
  flow,
  withEntries,
  withItem,
  withoutEntries,
  withoutItem,
  withoutItems,
} from "./editText.ts";
export { ciHosts, isInstalled, mergedManifest, type ProjectAnswers, projectFiles } from "./project.ts";
export { sampleFolder } from "./sampleFolder.ts";

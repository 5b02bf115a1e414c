export { clusterState } from "./clusterState.ts";
export type { AppliedObject, AppliedSet, ClusterState } from "./clusterState.ts";
export { type FoundSet, foundSets, type RootSet, type StateSource, type Unbuilt } from "./foundSets.ts";
export { hideValues, serverChange, stateChanges } from "./stateChanges.ts";
export type { FieldChange, ObjectChange, StateChanges } from "./stateChanges.ts";
export { namesOf, shortSummary, summary } from "./summary.ts";
export { treeWith } from "./treeWith.ts";
export { changesBetween, noFiles, renderedFiles, treeAfterUpdate, updateFiles } from "./updateChanges.ts";
export type { ClusterChanges, Side } from "./updateChanges.ts";

export { clusterState } from "./clusterState.ts";
export type { AppliedObject, AppliedSet, ClusterState } from "./clusterState.ts";
export type { Unbuilt } from "./foundSets.ts";
export { hideValues } from "./stateChanges.ts";
export type { FieldChange, ObjectChange, StateChanges } from "./stateChanges.ts";
export { namesOf, summary } from "./summary.ts";
export { changesBetween, treeAfterUpdate } from "./updateChanges.ts";
export type { ClusterChanges, Side } from "./updateChanges.ts";

export { type BuiltOptions, EngineMissing, type Judged, openBuilt } from "./openBuilt.ts";
export { type BuiltFleet, clusterSubjects } from "./clusterSubjects.ts";
export { missingEngine } from "./missingEngine.ts";
export { declaredSources, type SetSource, sourceOf, type Trees } from "./sourceOf.ts";

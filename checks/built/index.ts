export { type BuiltOptions, EngineMissing, type Judged, openBuilt } from "./openBuilt.ts";
export { missingEngine } from "./missingEngine.ts";

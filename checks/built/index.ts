export { type BuiltOptions, type Judged, openBuilt } from "./openBuilt.ts";
export { missingEngine } from "./missingEngine.ts";

/** Sets of a cluster without Flux, for tests and playgrounds: the only door to apply/. */

export { ApplyError } from "./applyError.ts";
export { applyPlan, type ApplyOutcome, type Change, type SetOutcome } from "./applyPlan.ts";
export type { ApplyInputs } from "./inputs.ts";
export { type ApplyPlan, type ApplySource, planApply } from "./plan.ts";
export { takeOut, type TakenOut } from "./takeOut.ts";

/** Objects that are applied without Flux: sets, for tests and playgrounds, and Flux itself. The only door to apply/. */

export { ApplyError } from "./applyError.ts";
export {
  applyPlan,
  type ApplyOutcome,
  type ApplyWorld,
  atOnce,
  type Change,
  type SetOutcome,
} from "./applyPlan.ts";
export type { ApplyInputs } from "./inputs.ts";
export { type Entry, isOurs, ownerMark, readInventory } from "./inventory.ts";
export { inOrder, isGround, keyOf, refOf, textOf } from "./order.ts";
export { type ApplyPlan, type ApplySource, planApply } from "./plan.ts";
export { takeOut, type TakenOut } from "./takeOut.ts";

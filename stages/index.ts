/** What moves the branches of stages: the only door to stages/. */

export { commitOn, mustRead, short, signatureOf } from "./commitOn.ts";
export { onlyWaits } from "./gate.ts";
export type { Gate, GateName } from "./gate.ts";
export { definitionsGate } from "./gates/definitions.ts";
export { hotfix } from "./hotfix.ts";
export type { Hotfixed, HotfixRequest } from "./hotfix.ts";
export type { Target } from "./pick.ts";
export { promote } from "./promote.ts";
export type { PromoteRequest, Promotion, Sides } from "./promote.ts";
export type { PinBack } from "./pinsAt.ts";
export { rollBack } from "./rollback.ts";
export type { RollbackRequest, RolledBack } from "./rollback.ts";
export { abortRollout, entryOf, rolloutNext } from "./rollout.ts";
export type { RingBack, RingStep, StepState } from "./rollout.ts";
export { isSameRef, pinStep } from "./pinRollout.ts";
export type { PinnedRing, PinStep } from "./pinRollout.ts";
export { isIn, ringsOf, routeOf } from "./route.ts";
export type { Route } from "./route.ts";
export { StageError } from "./stageError.ts";
export type { World } from "./world.ts";

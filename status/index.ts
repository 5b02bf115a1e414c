export { applied, type Applied } from "./applied.ts";
export { type History, historyOf, noHistory } from "./history.ts";
export type * from "./model.ts";
export { defaultGate, type Gate, readyAt, type ReadyContext, type ReadyCount, wordAt } from "./ready.ts";
export { hashOf, refOf, shortRevision } from "./revision.ts";
export { isAlarm, type Word, words, worst } from "./words.ts";

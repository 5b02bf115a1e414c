/** What version was where, when, and who brought it: the only door to history/. */

export { readHistory } from "./readHistory.ts";
export type { HistoryQuestion, StageHistory } from "./readHistory.ts";
export { readMoment } from "./moment.ts";
export type { Moment } from "./moment.ts";
export { readRan, recentRuns } from "./ran.ts";
export type { Ran, RecordedRun } from "./ran.ts";
export { trackOf, tracksOf } from "./track.ts";
export type { Track } from "./track.ts";
export type { StageEvent, EventKind } from "./stageEvent.ts";

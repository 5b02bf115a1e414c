/* The door of the room: what status, commands and renderers ask of windows. */
export { nextFreezeUpdate, openingsUnder, type FreezeDue } from "./freezeDates.ts";
export { mostCronJobs } from "./pulses.ts";
export { windowObject, windowsFolder } from "./resolveWindows.ts";
export { isOpen, missedOpenings, windowAt, type Opening, type WindowNow } from "./openings.ts";
export { spanText } from "./spans.ts";
export { toleratedMisses, windowState, type ObservedWindow, type WindowState } from "./state.ts";
export { liveSources, windowedCopies, windowedSource } from "./windowedSource.ts";
export { wallTime } from "./zone.ts";

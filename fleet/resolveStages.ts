import { durationSeconds } from "../values/duration.ts";
import type { PlainMap, Stage } from "./model.ts";
import type { FleetFile } from "./schema.ts";

/** The stages with what a promotion to each has to pass. */
export function resolveStages(file: FleetFile): Stage[] {
  return Object.entries(file.stages).map(([name, entry]) => {
    const { branch = file.repository.branch, after, soak, checks = [], approval, mayDiffer = [] } = entry;
    const { production = false } = entry;
    return {
      name,
      branch,
      ...(after !== undefined && { after }),
      soak: soak === undefined ? 0 : durationSeconds(soak),
      checks,
      ...(approval !== undefined && { approval }),
      production,
      mayDiffer,
      definitions: definitionsOf(entry),
    };
  });
}

/** Not what a stage is or waits for, nor what is there to differ. */
const aside = new Set([
  "branch",
  "after",
  "ready",
  "soak",
  "checks",
  "approval",
  "production",
  "mayDiffer",
  "variables",
  "pins",
  "suspend",
]);

function definitionsOf(entry: FleetFile["stages"][string]): PlainMap {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !aside.has(key))) as PlainMap;
}

import { durationSeconds } from "../values/duration.ts";
import type { PlainMap, Stage } from "./model.ts";
import { ringStages } from "./rings.ts";
import type { FleetFile } from "./schema.ts";

/** The stages with what a promotion to each has to pass; one with rings as its rings, one after the other. */
export function resolveStages(file: FleetFile): Stage[] {
  return Object.entries(file.stages).flatMap(([name, entry]): Stage[] => {
    const { branch = file.repository.branch, after, soak, checks = [], approval, mayDiffer = [] } = entry;
    const { production = false, rings = [] } = entry;
    const seconds = (text: string | undefined): number => (text === undefined ? 0 : durationSeconds(text));
    const all = { mayDiffer, production, definitions: definitionsOf(entry) };
    const first = { soak: seconds(soak), checks, ...(approval !== undefined && { approval }) };
    const parts = ringStages(name, entry, file);
    if (parts.size === 0) return [{ name, branch, ...(after !== undefined && { after }), ...first, ...all }];
    return [...parts].map(([ring, { after: before, ...part }], index) => ({
      ...part,
      ...(before !== undefined && { after: before }),
      // Checks and approval are of what comes into the stage; from ring to ring time and the clusters tell.
      ...(index === 0 ? first : { soak: seconds(rings[index - 1]?.soak), checks: [] }),
      ...all,
      ring: { stage: name, name: ring },
    }));
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
  "rings",
  "mayDiffer",
  "variables",
  "pins",
  "suspend",
  "idle",
]);

function definitionsOf(entry: FleetFile["stages"][string]): PlainMap {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !aside.has(key))) as PlainMap;
}

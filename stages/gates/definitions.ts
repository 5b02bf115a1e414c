import { isDeepStrictEqual } from "node:util";
import type { Plain, PlainMap, Stage } from "../../fleet/model.ts";
import { isMap } from "../../values/maps.ts";
import { type Gate, passes, stops } from "../gate.ts";

/**
 * What one stage says of its clusters has to be what the stage before says, so that what was proven there is what comes:
 * all but variables, pins, suspensions and what is idle, and what `mayDiffer` names.
 */
export function definitionsGate(stage: Stage, before: Stage | undefined): Gate {
  if (before === undefined) return passes("definitions", "no stage comes before");
  const [own, other] = [flat(stage.definitions), flat(before.definitions)];
  const differ = [...new Set([...other.keys(), ...own.keys()])].filter(
    (path) => !isDeepStrictEqual(own.get(path), other.get(path)) && !mayDiffer(path, stage.mayDiffer),
  );
  if (differ.length === 0)
    return passes("definitions", `${stage.name} says of its clusters what ${before.name} says`);
  const lines = differ.map(
    (path) => `${path}: ${text(other.get(path))} in ${before.name}, ${text(own.get(path))} in ${stage.name}`,
  );
  return stops(
    "definitions",
    `${lines.join("\n")}\nMake them alike, move them to a group, or name them in stages.${stage.name}.mayDiffer`,
  );
}

function mayDiffer(path: string, named: readonly string[]): boolean {
  if (/^sets\.[^.]+\.(suspend|idle)(\.|$)/.test(path)) return true;
  return named.some((one) => path === one || path.startsWith(`${one}.`));
}

/** Fields down to the smallest ones, by their path; `sets.pos` with nothing in it is one. */
function flat(map: PlainMap, prefix = ""): Map<string, Plain> {
  const found = new Map<string, Plain>();
  for (const [key, value] of Object.entries(map)) {
    if (value === undefined) continue;
    const path = `${prefix}${key}`;
    if (isMap(value) && Object.keys(value).length > 0)
      for (const [inner, field] of flat(value, `${path}.`)) found.set(inner, field);
    else found.set(path, value);
  }
  return found;
}

function text(value: Plain | undefined): string {
  return value === undefined ? "(nothing)" : JSON.stringify(value);
}

import { fleetJsonSchema } from "../fleet/schema.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import type { Terminal } from "./terminal.ts";

/** Columns of a line, as in the formatter's settings. */
const widest = 110;

/** `arcflux schema`: the JSON Schema of the fleet file, for editors. It is JSON with and without --json. */
export function schema(terminal: Terminal): ExitCode {
  terminal.out(`${layOut(JSON.parse(fleetJsonSchema()), "", 0)}\n`);
  return exitCodes.done;
}

/**
 * JSON as the formatter lays out fleet.schema.json, so that a clone shows no difference: a list that fits stands on one
 * line, an object never does. `taken` counts the columns around the value in its first line.
 */
function layOut(value: unknown, indent: string, taken: number): string {
  const deeper = `${indent}  `;
  const lines = (brackets: string, parts: readonly string[]): string =>
    parts.length === 0
      ? brackets
      : `${brackets[0]}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${brackets[1]}`;
  if (Array.isArray(value)) {
    const parts = value.map((each, at) => layOut(each, deeper, deeper.length + comma(value, at)));
    const flat = `[${parts.join(", ")}]`;
    return flat.includes("\n") || taken + flat.length > widest ? lines("[]", parts) : flat;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  const parts = entries.map(([name, each], at) => {
    const key = `${JSON.stringify(name)}: `;
    return key + layOut(each, deeper, deeper.length + key.length + comma(entries, at));
  });
  return lines("{}", parts);
}

const comma = (list: readonly unknown[], at: number): number => (at < list.length - 1 ? 1 : 0);

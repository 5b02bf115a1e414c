import type { FluxMinor } from "../../values/fluxVersions.ts";
import { brokenRules, own } from "./brokenRules.ts";
import { missingField, unknownField } from "./gate.ts";
import { received } from "./received.ts";
import type { SpecSchema } from "./schema.ts";
import { below, type Place } from "./since.ts";
import { textCheck } from "./text.ts";
import { expectation } from "./wording.ts";

/** Way to a value: keys of maps and indexes of lists. Shared and changed while walking; copied into each fault. */
export type Way = (string | number)[];
export type Report = (way: Readonly<Way>, message: string) => void;

/** Checks one value and all that is in it. */
export type Check = (value: unknown, way: Way, report: Report) => void;

/** The check of one place of a spec in one minor of Flux. Compiled once and used for any number of values. */
export function compile(place: Place, minor: FluxMinor): Check {
  const schema = place.get(minor)!;
  const check = checkOf(schema, place, minor);
  const isType = types[schema.type];
  const plainText = schema.type === "string" && !schema.enum && schema.pattern === undefined;
  const wanted = `write ${expectation(schema)}${plainText ? " in quotes" : ""}`;
  return (value, way, report) => {
    if (isType(value)) check(value, way, report);
    else if (value === null) report(way, `has no value; ${wanted}`);
    else report(way, `${received(value, way)} is ${kindOf(value, schema)}; ${wanted}`);
  };
}

const types: Readonly<Record<SpecSchema["type"], (value: unknown) => boolean>> = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
};

/** `10` and `"true"` look right in YAML, so the message says what they were read as. */
function kindOf(value: unknown, schema: SpecSchema): string {
  if (typeof value === "number" && schema.type === "string") return "a number";
  if (typeof value === "boolean" && schema.type === "string") return "true or false without quotes";
  if (typeof value === "string" && schema.type === "boolean") return "text";
  return "not allowed";
}

function checkOf(schema: SpecSchema, place: Place, minor: FluxMinor): Check {
  switch (schema.type) {
    case "boolean":
      return () => undefined;
    case "string":
      return textCheck(schema, place, minor);
    case "array":
      return listCheck(schema, place, minor);
    case "object":
      return schema.additionalProperties ? freeMapCheck(place, minor) : fieldsCheck(schema, place, minor);
  }
}

function freeMapCheck(place: Place, minor: FluxMinor): Check {
  const values = below(place, ({ additionalProperties }) => additionalProperties);
  const check = compile(values, minor);
  return (value, way, report) => {
    for (const [key, inner] of Object.entries(value as object)) {
      if (inner !== undefined) step(check, inner, key, way, report);
    }
  };
}

function listCheck(schema: SpecSchema, place: Place, minor: FluxMinor): Check {
  const items = below(place, (other) => other.items);
  const check = compile(items, minor);
  const { minItems = 0, maxItems = Infinity } = schema;
  return (value, way, report) => {
    const list = value as readonly unknown[];
    if (list.length < minItems) report(way, `has ${list.length} items; write at least ${minItems}`);
    if (list.length > maxItems) report(way, `has ${list.length} items; write at most ${maxItems}`);
    list.forEach((item, index) => step(check, item, index, way, report));
  };
}

function fieldsCheck(schema: SpecSchema, place: Place, minor: FluxMinor): Check {
  const known = new Map<string, Check>();
  for (const name of Object.keys(schema.properties ?? {})) {
    const field = below(place, ({ properties }) => properties?.[name]);
    known.set(name, compile(field, minor));
  }
  const unknown = unknownField(place, minor);
  const required = (schema.required ?? []).map((name) => [name, missingField(name, place, minor)] as const);
  const broken = brokenRules(schema);
  return (value, way, report) => {
    const map = value as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(map)) {
      if (map[key] === undefined) continue;
      const check = known.get(key);
      if (check) step(check, map[key], key, way, report);
      else report([...way, key], unknown(key));
    }
    for (const [name, message] of required) {
      if (own(map, name) === undefined) report([...way, name], message);
    }
    for (const { at, message } of broken(map)) report([...way, ...at], message);
  };
}

function step(check: Check, value: unknown, key: string | number, way: Way, report: Report): void {
  way.push(key);
  check(value, way, report);
  way.pop();
}

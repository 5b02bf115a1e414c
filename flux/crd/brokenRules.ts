import { compileRule } from "./rule.ts";
import type { SpecSchema } from "./schema.ts";
import { ruleWording, type RuleWording } from "./wording.ts";

/** The rules between the fields of an object that it breaks. Two rules that say one thing are one. */
export function brokenRules(schema: SpecSchema): (map: object) => Iterable<RuleWording> {
  const rules = (schema["x-kubernetes-validations"] ?? []).map(({ rule }) => ({
    holds: compileRule(rule),
    wording: ruleWording(rule),
  }));
  if (rules.length === 0) return () => [];
  return (map) => {
    const lookup = (path: readonly string[]) => withDefaults(map, schema, path);
    return new Set(rules.filter(({ holds }) => !holds(lookup)).map(({ wording }) => wording));
  };
}

/** The API server fills in defaults before it checks the rules. */
function withDefaults(map: object, schema: SpecSchema, path: readonly string[]): unknown {
  let value: unknown = map;
  let at: SpecSchema | undefined = schema;
  for (const name of path) {
    at = at?.properties?.[name];
    value = own(value, name) ?? at?.default;
  }
  return value;
}

/** A field of a map itself; undefined for what every object inherits, and for anything that is no map. */
export function own(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

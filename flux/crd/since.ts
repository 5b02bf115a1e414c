import { fluxMinors, type FluxMinor } from "../../values/fluxVersions.ts";
import { type CrdKind } from "./kinds.ts";
import type { SpecSchema } from "./schema.ts";
import { schemas } from "./schemas.ts";

/**
 * One place of a schema in every minor that has it, oldest first. All that is said about versions is the difference between
 * these schemas; nothing is kept by hand.
 */
export type Place = ReadonlyMap<FluxMinor, SpecSchema>;

/** The spec of a kind. */
export function root(kind: CrdKind): Place {
  return new Map(fluxMinors.map((minor) => [minor, schemas[kind][minor]]));
}

/** The place one step down: a field, the items of a list or the values of a free-form map. Empty when there is none. */
export function below(place: Place, step: (schema: SpecSchema) => SpecSchema | undefined): Place {
  const found = new Map<FluxMinor, SpecSchema>();
  for (const [minor, schema] of place) {
    const next = step(schema);
    if (next !== undefined) found.set(minor, next);
  }
  return found;
}

/** Names that some minor knows, each with the minors that do, oldest first. */
export function minorsOf(
  place: Place,
  names: (schema: SpecSchema) => readonly string[],
): Map<string, FluxMinor[]> {
  const known = new Map<string, FluxMinor[]>();
  for (const [minor, schema] of place) {
    for (const name of names(schema)) known.set(name, [...(known.get(name) ?? []), minor]);
  }
  return known;
}

/**
 * Fields that came after the oldest known minor: path such as `postBuild.substituteStrategy` (without indexes of lists) to
 * the first minor that has it. Fields of a field that is itself new are not listed again.
 */
export function fieldsSince(kind: CrdKind): ReadonlyMap<string, FluxMinor> {
  const since = new Map<string, FluxMinor>();
  const walk = (place: Place, path: string): void => {
    for (const [name, minors] of minorsOf(place, (schema) => Object.keys(schema.properties ?? {}))) {
      const where = path === "" ? name : `${path}.${name}`;
      if (minors[0] !== place.keys().next().value) since.set(where, minors[0]!);
      else walk(values(below(place, (schema) => schema.properties?.[name])), where);
    }
  };
  walk(root(kind), "");
  return since;
}

/** Through lists and free-form maps to what they hold. */
function values(place: Place): Place {
  const inner = below(place, (schema) => schema.items ?? schema.additionalProperties);
  return inner.size === 0 ? place : values(inner);
}

import { fluxMinors } from "../../../values/fluxVersions.ts";
import { describe, expect, it } from "vitest";
import { crdKinds, type CrdKind } from "../../../flux/crd/kinds.ts";
import type { SpecSchema } from "../../../flux/crd/schema.ts";
import { schemas } from "../../../flux/crd/schemas.ts";
import { patternWording, ruleWording } from "../../../flux/crd/wording.ts";

const kinds = Object.keys(crdKinds) as CrdKind[];

/** Every part of a schema with its path, without indexes of lists. */
function parts(schema: SpecSchema, path = ""): [string, SpecSchema][] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    parts(field, path === "" ? name : `${path}.${name}`),
  );
  const held = [schema.items, schema.additionalProperties].filter((other) => other !== undefined);
  return [[path, schema], ...inner, ...held.flatMap((other) => parts(other, path))];
}

describe.each(kinds)("what is written by hand about a %s", (kind) => {
  const all = fluxMinors.flatMap((minor) => parts(schemas[kind][minor]));

  it("has words for every pattern and rule", () => {
    const patterns = all.flatMap(([, { pattern }]) => pattern ?? []);
    expect(patterns.filter((pattern) => patternWording(pattern).includes(pattern))).toEqual([]);
    const rules = all.flatMap(([, schema]) => schema["x-kubernetes-validations"] ?? []);
    expect(rules.filter(({ rule }) => ruleWording(rule).message.includes(rule))).toEqual([]);
  });
});

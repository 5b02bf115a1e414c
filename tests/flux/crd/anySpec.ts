import fc from "fast-check";
import type { CrdKind } from "../../../flux/crd/kinds.ts";
import type { SpecSchema } from "../../../flux/crd/schema.ts";
import { schemas } from "../../../flux/crd/schemas.ts";

/** Values that look right and are not, and a few that are. */
const temptations = fc.constantFrom<unknown>(
  ...["1h30m0s", "90s", "1.5h", "500ms", "720m0s", "5", "1d", "PT5M", "-5m", "1h 30m", "10M", "", "100us"],
  ...["5m\n", "https://git.example.com/x", "git@git.example.com:x", "oci://r/x", "OCI://r/x", "https://a\nb"],
  ...["x".repeat(63), "x".repeat(64), "\u{1F600}".repeat(63), "\u{1F600}".repeat(64), "x".repeat(200)],
  ...["x".repeat(201), "x".repeat(253), "x".repeat(254), "x".repeat(256), "x".repeat(2049)],
  ...["sops", "Sops", "aws", "azure", "ldap", "generic", "GitRepository", "HelmRepository", "__proto__"],
  ...[null, 5, 0, true, false, [], {}, [null], { name: "x" }, { name: 5 }, { constructor: "x" }],
);

const strayNames = fc.constantFrom(
  "decription",
  "substituteFrom",
  "name",
  "status",
  "constructor",
  "__proto__",
);

/** Specs of a kind, most of them nearly right: some with wrong values, stray fields, or required ones missing. */
export function anySpec(kind: CrdKind): fc.Arbitrary<unknown> {
  // The newest minor has all fields, so that the older ones are asked about fields they do not know.
  return nearly(schemas[kind]["2.10"]);
}

function nearly(schema: SpecSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: right(schema) }, { weight: 1, arbitrary: temptations });
}

function right(schema: SpecSchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(nearly(schema.items!), { maxLength: 3 });
    case "string":
      if (schema.enum) return fc.constantFrom(...schema.enum);
      if (schema.pattern !== undefined)
        return fc.stringMatching(new RegExp(schema.pattern.replace(".*", "[a-z/.]*")));
      return fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), temptations);
    case "object":
      return schema.additionalProperties
        ? fc.dictionary(fc.string(), nearly(schema.additionalProperties), { maxKeys: 3 })
        : fieldsOf(schema);
  }
}

function fieldsOf(schema: SpecSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {});
  const required = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, nearly(field)])), {
    requiredKeys: [...(schema.required ?? [])],
  });
  // Of many optional fields most are left out, or nearly every spec would have a fault somewhere.
  const names = fields.map(([name]) => name);
  const kept = fc.tuple(required, fc.subarray(names, { maxLength: Math.min(5, names.length) }), fc.nat(40));
  const spec = kept.map(([all, some, drop]) => {
    const keep = new Set([...some, ...(schema.required ?? []).filter((_, index) => index !== drop)]);
    return Object.fromEntries(Object.entries(all).filter(([name]) => keep.has(name)));
  });
  const stray = fc.tuple(spec, strayNames, temptations).map(([value, name, other]) => {
    return Object.defineProperty({ ...value }, name, { value: other, enumerable: true });
  });
  return fc.oneof({ weight: 40, arbitrary: spec }, { weight: 1, arbitrary: stray });
}

import { compileRule } from "../../flux/crd/rule.ts";
import type { SpecSchema } from "../../flux/crd/schema.ts";

/** The part of a CustomResourceDefinition that is read here. */
export interface Crd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: RawSchema };
    }[];
  };
}

interface RawRule {
  readonly rule: string;
}

interface RawSchema {
  readonly [keyword: string]: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, RawSchema>>;
  readonly items?: RawSchema;
  readonly additionalProperties?: boolean | RawSchema;
  readonly "x-kubernetes-validations"?: readonly RawRule[];
}

/** Keywords that are taken as they are; the validator knows each. */
const plain = ["type", "pattern", "minLength", "maxLength", "minItems", "maxItems", "enum", "default"];
const nested = ["properties", "required", "items", "additionalProperties", "x-kubernetes-validations"];
const types: readonly unknown[] = ["object", "array", "string", "boolean"];
const dropped = ["description"];

/**
 * The schema of a kind's spec without its prose, its keys sorted. A keyword or rule that the validator does not know
 * throws: to leave it out in silence would accept what the cluster refuses.
 */
export function compactSpec(crd: Crd, apiVersion: string): SpecSchema {
  const { kind } = crd.spec.names;
  const version = crd.spec.versions.find(({ name }) => `${crd.spec.group}/${name}` === apiVersion);
  if (!version?.served) throw new Error(`${kind} has no version ${apiVersion} that is served`);
  const root = version.schema.openAPIV3Schema;
  const spec = compact(root.properties!.spec!, `${kind}.spec`);
  const required = [...(spec.required ?? []), ...requiredByRule(root, kind)].sort();
  return sorted({ ...spec, ...(required.length > 0 && { required }) });
}

/** A root that says `has(self.spec) && has(self.spec.url)` means `required: [url]` in the spec. */
function requiredByRule(root: RawSchema, kind: string): string[] {
  return (root["x-kubernetes-validations"] ?? []).map(({ rule }) => {
    const field = /^has\(self\.spec\) && has\(self\.spec\.(\w+)\)$/.exec(rule)?.[1];
    if (field === undefined)
      throw new Error(`${kind}: the rule ${rule} is not known here; extend compact.ts`);
    return field;
  });
}

function compact(raw: RawSchema, path: string): SpecSchema {
  const schema: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(raw)) {
    if (plain.includes(keyword)) schema[keyword] = value;
    else if (!nested.includes(keyword) && !dropped.includes(keyword)) {
      throw new Error(`${path}: ${keyword} is not known; extend compact.ts and flux/crd/compile.ts`);
    }
  }
  if (raw.required) schema.required = [...raw.required].sort();
  if (raw.properties) {
    const fields = Object.entries(raw.properties).map(([name, field]) => [
      name,
      compact(field, `${path}.${name}`),
    ]);
    schema.properties = sorted(Object.fromEntries(fields) as object);
  }
  if (raw.items) schema.items = compact(raw.items, `${path}[]`);
  if (typeof raw.additionalProperties === "object") {
    schema.additionalProperties = compact(raw.additionalProperties, `${path}{}`);
  } else if (raw.additionalProperties !== undefined) {
    throw new Error(`${path}: additionalProperties without a schema is not known; extend compact.ts`);
  }
  const rules = raw["x-kubernetes-validations"]?.map(({ rule }) => rule);
  if (rules) {
    for (const rule of rules) compileRule(rule);
    schema["x-kubernetes-validations"] = rules.map((rule) => ({ rule }));
  }
  if (!types.includes(raw.type))
    throw new Error(`${path}: type ${String(raw.type)} is not known; extend compile.ts`);
  return sorted(schema) as unknown as SpecSchema;
}

function sorted<T extends object>(map: T): T {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
}

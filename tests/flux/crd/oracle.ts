import type { FluxMinor } from "../../../values/fluxVersions.ts";
import { Ajv } from "ajv";
import type { CrdKind } from "../../../flux/crd/kinds.ts";

/** A schema as a CRD has it, or one of the committed ones. */
export interface RawSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, RawSchema>>;
  readonly items?: RawSchema;
  readonly additionalProperties?: RawSchema;
  readonly pattern?: string;
}

export interface Verdict {
  readonly valid: boolean;
  /** Where types, fields, choices, patterns and lengths are wrong; parts joined by a blank. */
  readonly places: ReadonlySet<string>;
}

/** A second opinion on specs: ajv with the schema of the CRD, and the CRD's rules written in JSON Schema by hand. */
export function oracle(kind: CrdKind, minor: FluxMinor, spec: RawSchema): (value: unknown) => Verdict {
  const ajv = new Ajv({ allErrors: true, strict: false });
  const schema = { allOf: [strict(spec), ...(kindRules[kind]?.(minor) ?? [])] };
  const validate = ajv.compile(schema);
  return (value) => {
    const valid = validate(value);
    const places = new Set<string>();
    for (const { instancePath, keyword, params, schemaPath } of validate.errors ?? []) {
      if (!schemaPath.startsWith("#/allOf/0/") || schemaPath.includes("/oneOf")) continue;
      const path = instancePath.split("/").slice(1).map(unescape);
      if (keyword === "required") path.push(String(params.missingProperty));
      if (keyword === "additionalProperties") path.push(String(params.additionalProperty));
      places.add(path.join(" "));
    }
    return { valid, places };
  };
}

function unescape(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The schema as JSON Schema: no fields but the listed ones, and `.` of RE2 written out. */
function strict(schema: RawSchema): object {
  const { properties, items, additionalProperties, pattern, ...rest } = schema;
  delete (rest as Record<string, unknown>).$comment;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    name === "kubeConfig" ? { ...strict(field), oneOf: oneRef } : strict(field),
  ]);
  return {
    ...rest,
    ...(properties && { properties: Object.fromEntries(fields) as object, additionalProperties: false }),
    ...(items && { items: strict(items) }),
    ...(additionalProperties && { additionalProperties: strict(additionalProperties) }),
    ...(pattern !== undefined && { pattern: pattern.replace(/\.\*\$$/, "[^\\n]*$") }),
  };
}

const oneRef = [{ required: ["configMapRef"] }, { required: ["secretRef"] }];
const has = (...names: string[]) => ({ required: names });
const absentOr = (name: string, ...values: string[]) => ({ properties: { [name]: { enum: values } } });
const is = (name: string, ...values: string[]) => ({ ...absentOr(name, ...values), required: [name] });

/** Read out of Flux's documentation of each kind, not out of the rules. */
const kindRules: Partial<Record<CrdKind, (minor: FluxMinor) => object[]>> = {
  GitRepository: (minor) => {
    const clouds = minor === "2.7" || minor === "2.8" ? ["azure"] : ["azure", "aws"];
    return [{ if: has("serviceAccountName"), then: is("provider", ...clouds) }];
  },
  Bucket: () => [
    { if: has("sts"), then: absentOr("provider", "aws", "generic") },
    { if: { ...has("sts"), ...is("provider", "aws") }, then: { properties: { sts: is("provider", "aws") } } },
    {
      if: { allOf: [has("sts"), absentOr("provider", "generic")] },
      then: { properties: { sts: is("provider", "ldap") } },
    },
    {
      properties: {
        sts: {
          if: is("provider", "aws"),
          then: { properties: { secretRef: false, certSecretRef: false } },
        },
      },
    },
    { if: has("serviceAccountName"), then: is("provider", "aws", "gcp", "azure") },
    { not: has("secretRef", "serviceAccountName") },
  ],
  Provider: () => [
    {
      if: has("commitStatusExpr"),
      then: is("type", "github", "gitlab", "gitea", "bitbucketserver", "bitbucket", "azuredevops"),
    },
  ],
};

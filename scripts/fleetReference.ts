import { fleetJsonSchema } from "../fleet/schema.ts";

/* Every key of the fleet file as a page in Markdown, made of the schema. */

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const root = JSON.parse(fleetJsonSchema()) as Schema;
const definitions = root.$defs ?? {};
/** Deeper maps are told by their own line alone. */
const deepest = 2;

/** The text of docs/reference/fleet-schema.md. */
export function fleetReference(): string {
  return [
    "# Every key of the fleet file",
    "",
    "Generated from the schema itself (`node scripts/generate-schema.ts`), which also validates and completes in editors. What the keys are for, with examples: [The fleet file](fleet-file.md).",
    "",
    ...section("The file", root),
    ...Object.entries(definitions).flatMap(([name, schema]) => section(name, schema)),
  ].join("\n");
}

function section(title: string, schema: Schema): string[] {
  const rows = rowsOf(schema, "", 0);
  const what = schema.description === undefined ? [] : [prose(schema.description), ""];
  if (rows.length === 0) return [`## ${title}`, "", ...what, typeOf(schema), ""];
  return [
    `## ${title}`,
    "",
    ...what,
    "| key | what it takes | default | what it says |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ];
}

function rowsOf(schema: Schema, above: string, depth: number): string[] {
  const { properties = {}, required = [] } = mapOf(schema) ?? {};
  return Object.entries(properties).flatMap(([key, value]) => {
    const name = above === "" ? key : `${above}.${key}`;
    const usual = required.includes(key) ? "required" : isEmpty(value.default) ? "" : code(value.default);
    const example = value.examples?.[0] === undefined ? "" : ` Such as ${code(value.examples[0])}.`;
    const row = `| ${code(name)} | ${typeOf(value)} | ${usual} | ${cell(prose(value.description ?? ""))}${example} |`;
    return [row, ...(depth < deepest ? rowsOf(value, name, depth + 1) : [])];
  });
}

/** The map among the forms that a value may have; none where it is a definition of its own, or has no keys of its own. */
function mapOf(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  return (schema.anyOf ?? schema.oneOf)?.find(({ properties }) => properties !== undefined);
}

function typeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf, items, additionalProperties, type } = schema;
  if ($ref !== undefined) {
    const name = $ref.replace("#/$defs/", "");
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return wordsOf(schema.enum).map(code).join(", ");
  const forms = anyOf ?? oneOf;
  if (forms !== undefined) return [...new Set(forms.map(typeOf))].filter((form) => form !== "").join(" or ");
  if (items !== undefined) return `list of ${typeOf(items) || "values"}`;
  if (typeof additionalProperties === "object") return `map of ${typeOf(additionalProperties) || "values"}`;
  return Array.isArray(type)
    ? type.join(" or ")
    : schema.properties !== undefined
      ? "map"
      : String(type ?? "");
}

/** A version may be written as a number too, which says less: 2.10 is 2.1. */
function wordsOf(values: readonly unknown[]): readonly unknown[] {
  const texts = values.filter((value) => typeof value === "string");
  return texts.length > 0 ? texts : values;
}

/** A map that is filled in by its keys says nothing of its own. */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

/** Text in which < is no tag. */
function prose(text: string): string {
  return text.replaceAll("<", "&lt;");
}

function code(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `\`${cell(text.replaceAll("`", "'"))}\``;
}

/** A table stays a table. */
function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}

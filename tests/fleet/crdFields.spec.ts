import { describe, expect, it } from "vitest";
import { fleetJsonSchema } from "../../fleet/schema.ts";
import type { CrdKind } from "../../flux/crd/kinds.ts";
import type { SpecSchema } from "../../flux/crd/schema.ts";
import { schemas } from "../../flux/crd/schemas.ts";
import { fieldsSince } from "../../flux/crd/since.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
}

const whole = JSON.parse(fleetJsonSchema()) as { $defs: Record<string, Schema> };

/** Every field below a schema by its path, with its values where there are few, `!` for a required one. */
function fields(schema: Schema | SpecSchema | undefined, path = "", into: string[] = []): string[] {
  for (const each of options(schema)) {
    for (const [name, field] of Object.entries(each.properties ?? {})) {
      const at = path === "" ? name : `${path}.${name}`;
      const values = options(field).flatMap((one) => one.enum ?? []);
      const required = each.required?.includes(name) ? "!" : "";
      into.push(`${at}${required}${values.length > 0 ? `=${[...values].sort().join("|")}` : ""}`);
      fields(field, at, into);
    }
    if (each.items) fields(each.items, path, into);
  }
  return into.sort();
}

function options(schema: Schema | undefined): Schema[] {
  if (schema === undefined) return [];
  const { $ref, anyOf, oneOf } = schema;
  if ($ref !== undefined) return options(whole.$defs[$ref.replace("#/$defs/", "")]);
  return anyOf || oneOf ? [...(anyOf ?? []), ...(oneOf ?? [])].flatMap(options) : [schema];
}

/** Fields of the newest CRD that is known. */
const crd = (kind: CrdKind, ...without: string[]) =>
  fields(schemas[kind]["2.10"]).filter((field) => !without.includes(field.split(/[!=.]/)[0]!));

const set = whole.$defs["set"];
const sources = Object.fromEntries(
  options(whole.$defs["source"]).map((one) => [String(one.properties?.["kind"]?.const), one]),
);
const alert = whole.$defs["alert"];

describe("fields of Flux in the schema of the fleet file", () => {
  it("are all those of a Kustomization, and what Arcflux adds", () => {
    const ours = [
      "source",
      "tenant",
      "uniform",
      "window",
      "labels",
      "annotations",
      "namespace",
      "idle",
    ].concat("dependsOn.external");
    const mine = fields(set).filter((field) => !ours.includes(field) && !field.startsWith("suspend"));
    // Two of the required fields have a default or a short form.
    const theirs = crd("Kustomization", "suspend").map((field) =>
      field.replace(/^(interval|prune|sourceRef)!/, "$1"),
    );
    expect(mine).toEqual(theirs);
  });

  it.each(["GitRepository", "OCIRepository", "Bucket"] as const)("are all those of a %s", (kind) => {
    const mine = fields(sources[kind]).filter((field) => !field.startsWith("kind"));
    const relaxed = (field: string) => field.replace(/^(interval|url|verify\.provider)!/, "$1");
    expect(mine.map(relaxed)).toEqual(crd(kind).map(relaxed));
  });

  it("are all those of a Provider and an Alert but for what is generated", () => {
    expect(fields(alert?.properties?.["provider"])).toEqual(crd("Provider"));
    const ours = ["match", "sets", "provider"];
    const mine = fields(alert).filter((field) => !ours.includes(field.split(/[!=.]/)[0]!));
    expect(mine).toEqual(crd("Alert", "providerRef", "eventSources"));
  });

  it("say in their description which version of Flux they need", () => {
    const needs = (schema: Schema | undefined, path = ""): [string, string][] =>
      options(schema).flatMap((each) => [
        ...Object.entries(each.properties ?? {}).flatMap(([name, field]): [string, string][] => {
          const at = path === "" ? name : `${path}.${name}`;
          const version = /Needs Flux (\S+)\./.exec(field.description ?? "")?.[1];
          return version === undefined ? needs(field, at) : [[at, version]];
        }),
        ...needs(each.items, path),
      ]);
    const sorted = (entries: Iterable<[string, string]>) => [...entries].sort();
    expect(sorted(needs(set))).toEqual(sorted(fieldsSince("Kustomization")));
    for (const kind of ["GitRepository", "OCIRepository", "Bucket"] as const)
      expect(sorted(needs(sources[kind]))).toEqual(sorted(fieldsSince(kind)));
  });
});

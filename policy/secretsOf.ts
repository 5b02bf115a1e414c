import { plainTextSecret, secretsIn } from "../values/plainTextSecret.ts";
import { isSecret, plainValues, secretsByName, valuesOfSecret } from "../values/secretsByName.ts";
import { isFlux, patchIn, type CommittedObject } from "./committedFiles.ts";
import { asMap, asText, type PlainMap } from "./plainValue.ts";

/** A secret in an object: `spec.values.auth.password`, `a GitHub token`. */
export interface ObjectSecret {
  readonly field: string;
  readonly kind: string;
}

/** Variables by name and value, what somebody named by its name and value, every other text by its value. */
export function secretsOf(object: CommittedObject, allowedNames: readonly string[]): ObjectSecret[] {
  const { spec, whole } = object;
  const named = secretsByPlace(object, allowedNames);
  const known = new Set(named.map(({ field }) => field));
  const elsewhere = secretsIn(isFlux(object) ? withoutVariables(whole, spec) : whole).map(shownAt);
  return [...named, ...elsewhere.filter(({ field }) => !known.has(field))];
}

/** What is a secret by where it stands, or by its name, whatever its value looks like. */
function secretsByPlace(object: CommittedObject, allowedNames: readonly string[]): ObjectSecret[] {
  const { kind, spec, whole } = object;
  if (isSecret(whole)) return valuesOfSecret(whole).map(shownAt);
  const named = (value: unknown, ...path: string[]) => secretsByName(value, path, allowedNames).map(shownAt);
  if (kind === "ConfigMap") return named(whole["data"], "data");
  if (kind === "HelmRelease") {
    const renderers = Array.isArray(spec["postRenderers"]) ? (spec["postRenderers"] as unknown[]) : [];
    return [
      ...named(spec["values"], "spec", "values"),
      ...renderers.flatMap((one) => inPatches(asMap(asMap(one)?.["kustomize"])?.["patches"], allowedNames)),
    ];
  }
  if (kind === "Kustomization")
    return [
      ...inVariables(object, allowedNames),
      ...inPatches(spec["patches"] ?? whole["patches"], allowedNames),
      ...inGenerators(whole, allowedNames),
    ];
  return environments(spec).flatMap(({ path, value }) => named(value, "spec", ...path));
}

function inVariables(object: CommittedObject, allowedNames: readonly string[]): ObjectSecret[] {
  const variables = (isFlux(object) && asMap(asMap(object.spec["postBuild"])?.["substitute"])) || {};
  return Object.entries(variables).flatMap(([key, value]) => {
    const kind = allowedNames.includes(key) ? undefined : plainTextSecret(key, value);
    return kind === undefined ? [] : [{ field: `postBuild.substitute.${key}`, kind }];
  });
}

/** Of patches that are a text: what they bring of an object. Their texts are searched with all others. */
function inPatches(patches: unknown, allowedNames: readonly string[]): ObjectSecret[] {
  if (!Array.isArray(patches)) return [];
  return patches.flatMap((entry: unknown, index): ObjectSecret[] => {
    const patch = asMap(entry);
    const { objects, operations } = patchIn(asText(patch?.["patch"]) ?? "");
    const found = objects.flatMap((object) => secretsByPlace(object, allowedNames));
    const ofSecret = asMap(patch?.["target"])?.["kind"] === "Secret";
    for (const { path, value } of operations)
      found.push(...operationOn(asText(path) ?? "", value, ofSecret, allowedNames));
    return found.map(({ field, kind }) => ({ field: `patches.${index}.patch, ${field}`, kind }));
  });
}

/** `/data/token` with its value, `/data` with a map of them, or the whole object. */
function operationOn(
  path: string,
  value: unknown,
  ofSecret: boolean,
  allowedNames: readonly string[],
): ObjectSecret[] {
  const keys = path.split("/").slice(1);
  if (value === undefined) return [];
  if (!ofSecret) return secretsByName(value, keys, allowedNames, keys.at(-1)).map(shownAt);
  const [field = "", key] = keys;
  if (field === "") return valuesOfSecret(asMap(value) ?? {}).map(shownAt);
  if (field !== "data" && field !== "stringData") return [];
  return plainValues(key === undefined ? value : { [key]: value }, [field]).map(shownAt);
}

/** Values that kustomize makes a Secret or a ConfigMap of: `key=value`. */
function inGenerators(whole: PlainMap, allowedNames: readonly string[]): ObjectSecret[] {
  return (["secretGenerator", "configMapGenerator"] as const).flatMap((field) => {
    const generators = Array.isArray(whole[field]) ? (whole[field] as unknown[]) : [];
    return generators.flatMap((one, index) => {
      const literals = asMap(one)?.["literals"];
      const pairs = Array.isArray(literals) ? literals.map((text) => `${text}`.split(/=(.*)/s)) : [];
      const values = Object.fromEntries(pairs.map(([key = "", value = ""]) => [key, value]));
      const path = [field, `${index}`, "literals"];
      const found =
        field === "secretGenerator" ? plainValues(values, path) : secretsByName(values, path, allowedNames);
      return found.map(shownAt);
    });
  });
}

/** Lists called `env` in an object, however deep: those of containers. */
function environments(
  value: unknown,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly value: unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === "env" && Array.isArray(inner)
      ? [{ path: [...path, key], value: inner }]
      : environments(inner, [...path, key]),
  );
}

function shownAt({ path, kind }: { readonly path: readonly (string | number)[]; readonly kind: string }) {
  return { field: path.join("."), kind };
}

function withoutVariables(whole: PlainMap, spec: PlainMap): PlainMap {
  const postBuild = asMap(spec["postBuild"]);
  if (postBuild === undefined) return whole;
  return { ...whole, spec: { ...spec, postBuild: { ...postBuild, substitute: undefined } } };
}

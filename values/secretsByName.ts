import { asMap, asText, type YamlMap } from "./maps.ts";
import { calledSecret, type FoundSecret, heldSecret } from "./plainTextSecret.ts";
import { readYaml } from "./readYaml.ts";

const byName = "a value that its name calls a secret";
const ofSecret = "a value of a Secret in plain text";

/** `KEY=value`, `key: value`, with or without quotes; a value with brackets or a `$` is code, or refers elsewhere. */
const assignment =
  /^[ \t]*(?:- +|export +)?["']?([A-Za-z_][\w.-]*)["']?[ \t]*[:=][ \t]*(["']?)([^\s"'(){}[\]$<>]{4,})\2[,;]?[ \t]*$/;

/** Longest text and longest line that are read, in characters: nobody writes longer ones by hand. */
const longest = { text: 1 << 18, line: 1000 } as const;

/**
 * What is a secret by its name, whatever its value looks like, in values that somebody chose the names of: of a chart, of a
 * ConfigMap, of the environment of a container (`{ name, value }`); also in a text that is YAML, JSON or lines of `KEY=value`,
 * and what stands in a Secret among them. Charts take the name of a Secret as `existingSecret`.
 */
export function secretsByName(
  value: unknown,
  path: readonly string[],
  allowedNames: readonly string[],
  name = "",
): FoundSecret[] {
  const isCalled = (key: string, text: string): boolean =>
    !/^existing/i.test(key) && !allowedNames.includes(key) && calledSecret(key, text);

  if (typeof value === "string") {
    // A value that shows by its own shape what it is has been found by that.
    if (isCalled(name, value)) return heldSecret(value) === undefined ? [{ path, kind: byName }] : [];
    const kind = kindIn(value, isCalled, allowedNames);
    return kind === undefined ? [] : [{ path, kind }];
  }
  // A port, a count or a lifetime is not a secret.
  if (typeof value === "number")
    return value > 999 && isCalled(name, `${value}`) ? [{ path, kind: byName }] : [];
  if (typeof value !== "object" || value === null) return [];
  // A list of secrets is one of their names.
  const ofItem = /secrets$/i.test(name) ? "" : name;
  if (Array.isArray(value))
    return value.flatMap((item, at) => secretsByName(item, [...path, `${at}`], allowedNames, ofItem));
  const map = asMap(value);
  if (isSecret(map)) return valuesOfSecret(map, path);
  const paired = asText(map["name"]);
  return Object.entries(map).flatMap(([key, inner]) =>
    secretsByName(inner, [...path, key], allowedNames, key === "value" ? (paired ?? key) : key),
  );
}

/** The values of a Kubernetes Secret that stand there themselves, neither encrypted nor put in on the cluster. */
export function valuesOfSecret(secret: YamlMap, path: readonly string[] = []): FoundSecret[] {
  return ["data", "stringData"].flatMap((field) => plainValues(secret[field], [...path, field]));
}

/** The same of one field of it. */
export function plainValues(map: unknown, path: readonly string[]): FoundSecret[] {
  return Object.entries(asMap(map))
    .filter(([, value]) => !refersElsewhere(value))
    .map(([key]) => ({ path: [...path, key], kind: ofSecret }));
}

/** Whether a map is a Kubernetes Secret. */
export function isSecret({ apiVersion, kind }: YamlMap): boolean {
  return kind === "Secret" && apiVersion === "v1";
}

/** `${pin}` is put in on the cluster, `ENC[` is by SOPS, and null takes a key away. */
function refersElsewhere(value: unknown): boolean {
  return (
    value === "" || value === null || (typeof value === "string" && /^\s*(?:\$\{\w+\}\s*$|ENC\[)/.test(value))
  );
}

/** The kind of the first secret in a text of several values; undefined where it has none. */
function kindIn(
  text: string,
  isCalled: (key: string, value: string) => boolean,
  allowedNames: readonly string[],
): string | undefined {
  if (text.length > longest.text || !(text.includes("\n") || /^\s*[{[]/.test(text))) return undefined;
  const isAssigned = text.split("\n").some((line) => {
    const [, key = "", , value = ""] = (line.length <= longest.line && assignment.exec(line)) || [];
    return isCalled(key, value);
  });
  if (isAssigned) return byName;
  const read = readYaml(text, { version: "1.2" });
  const documents = "documents" in read ? read.documents : [];
  // Text that is YAML of plain text says no more than its lines did.
  const maps = documents.filter((one) => typeof one === "object");
  return maps.flatMap((one) => secretsByName(one, [], allowedNames))[0]?.kind;
}

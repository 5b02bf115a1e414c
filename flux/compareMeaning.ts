import type { Comparison } from "../values/compareText.ts";
import { isDeepStrictEqual } from "node:util";
import { parseAllDocuments } from "yaml";
import { compareText, shown } from "../values/compareText.ts";
import { sameDuration } from "./sameDuration.ts";

/** Fields of Flux objects that hold a duration; `60m0s` and `1h` are one value there. */
const durations: ReadonlySet<string> = new Set(["interval", "retryInterval", "timeout"]);

/** YAML 1.2 is what Arcflux writes, 1.1 what Kubernetes reads: `on` is text in one and true in the other. */
const versions = ["1.2", "1.1"] as const;

type Objects = ReadonlyMap<string, unknown>;

/**
 * Compares two files by what they mean: YAML by its objects, where order of keys, quotes, comments and formatting count
 * for nothing; anything else by its lines.
 */
export function compareMeaning(path: string, theirs: string, ours: string): Comparison {
  const text = compareText(path, theirs, ours);
  if (text.same || !/\.ya?ml$/i.test(path)) return text;
  const differences: string[] = [];
  const foreign = new Set<string>();
  for (const version of versions) {
    const [left, right] = [objectsOf(theirs, version), objectsOf(ours, version)];
    // What cannot be read as YAML has no fields to compare.
    if (left === undefined || right === undefined) return text;
    if (left.size > 1) for (const name of left.keys()) if (!right.has(name)) foreign.add(name);
    const found = fieldDifferences(left, right);
    // A second reading adds only what the first takes for the same.
    if (differences.length === 0) differences.push(...found);
  }
  return { same: differences.length === 0 && foreign.size === 0, differences, foreign: [...foreign] };
}

/** The objects of a file by what tells them apart; undefined when it is not YAML. */
function objectsOf(text: string, version: (typeof versions)[number]): Objects | undefined {
  try {
    const documents = parseAllDocuments(text, { version, intAsBigInt: true, logLevel: "silent" });
    const objects = new Map<string, unknown>();
    for (const document of documents) {
      if (document.errors.length > 0) return undefined;
      const value = document.toJS({ maxAliasCount: 100 }) as unknown;
      if (value === null || value === undefined) continue;
      for (const one of itemsOf(value)) {
        const name = nameOf(one);
        objects.set(objects.has(name) ? `${name} (number ${objects.size + 1})` : name, one);
      }
    }
    return objects;
  } catch {
    return undefined;
  }
}

/** The objects in a list object, such as `kubectl get -o yaml` prints; anything else is one. */
function itemsOf(value: unknown): readonly unknown[] {
  if (!isMap(value) || value["kind"] !== "List" || !Array.isArray(value["items"])) return [value];
  return value["items"];
}

function nameOf(value: unknown): string {
  if (!isMap(value)) return "a document that is no object";
  const { kind, metadata } = value;
  const { name, namespace } = isMap(metadata) ? metadata : {};
  const place = typeof namespace === "string" ? `${namespace}/` : "";
  return typeof kind === "string" ? `${kind} ${place}${typeof name === "string" ? name : "?"}` : "an object";
}

function fieldDifferences(left: Objects, right: Objects): string[] {
  const several = left.size > 1 || right.size > 1;
  const [one, other] = [[...left.values()], [...right.values()]];
  // Two single objects are compared field by field even where the name is what differs.
  if (!several) return compareFields("", one[0], other[0], hidesValues(one[0]) || hidesValues(other[0]));
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) => {
    const [theirs, ours] = [left.get(name), right.get(name)];
    if (theirs === undefined) return [`${name}: (absent) -> present`];
    if (ours === undefined) return [`${name}: present -> (absent)`];
    const hidden = hidesValues(theirs) || hidesValues(ours);
    return compareFields("", theirs, ours, hidden).map((line) => `${name}: ${line}`);
  });
}

/** A Secret is shown without its values: messages end up in logs. */
function hidesValues(value: unknown): boolean {
  return isMap(value) && value["kind"] === "Secret";
}

function compareFields(path: string, theirs: unknown, ours: unknown, hidden: boolean): string[] {
  if (isMap(theirs) && isMap(ours)) {
    return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].flatMap((key) =>
      compareFields(joined(path, key), theirs[key], ours[key], hidden),
    );
  }
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    return Array.from({ length: Math.max(theirs.length, ours.length) }, (_, index) =>
      compareFields(`${path}[${index}]`, theirs[index], ours[index], hidden),
    ).flat();
  }
  if (isDeepStrictEqual(theirs, ours) || isSameDuration(path, theirs, ours)) return [];
  const place = path === "" ? "the document" : path;
  if (hidden) return [`${place}: differs (values of a Secret are not shown)`];
  return [`${place}: ${show(theirs)} -> ${show(ours)}`];
}

function isSameDuration(path: string, theirs: unknown, ours: unknown): boolean {
  const key = /^spec\.(?:.*\.)?(\w+)$/.exec(path)?.[1] ?? "";
  const inText = /(^|\.)(substitute|labels|annotations|matchLabels|values|data|stringData)\./.test(path);
  if (!durations.has(key) || inText || typeof theirs !== "string" || typeof ours !== "string") return false;
  return sameDuration(theirs, ours);
}

function joined(path: string, key: string): string {
  const name = /^[A-Za-z_][\w-]*$/.test(key) ? key : `[${JSON.stringify(key)}]`;
  return path === "" || name.startsWith("[") ? `${path}${name}` : `${path}.${name}`;
}

function show(value: unknown): string {
  if (value === undefined) return "(absent)";
  if (typeof value === "string") return shown(value);
  if (typeof value === "bigint") return String(value);
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "bigint" ? Number(inner) : inner,
  );
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

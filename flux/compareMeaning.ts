import type { Comparison } from "../values/compareText.ts";
import { isDeepStrictEqual } from "node:util";
import { printable, quoted } from "../values/show.ts";
import { compareText, shown } from "../values/compareText.ts";
import { ownPrefix } from "../fleet/ownVariables.ts";
import { readYaml } from "../values/readYaml.ts";
import { sameDuration } from "../values/duration.ts";

/** Fields of Flux objects that hold a duration; `60m0s` and `1h` are one value there. */
const durations: ReadonlySet<string> = new Set(["interval", "retryInterval", "timeout"]);

/** YAML 1.2 is what Arcflux writes, 1.1 what Kubernetes reads: `on` is text in one and true in the other. */
const versions = ["1.2", "1.1"] as const;

/** Objects by what tells them apart; each with the name that messages give it. */
type Objects = ReadonlyMap<string, { readonly name: string; readonly value: unknown }>;

/**
 * Compares two files by what they mean: YAML by its objects, where order of keys, quotes, comments and formatting count
 * for nothing; anything else by its lines. Never throws, whatever they hold.
 */
export function compareMeaning(path: string, theirs: string, ours: string): Comparison {
  const text = compareText(path, theirs, ours);
  if (text.same || !/\.ya?ml$/i.test(path)) return text;
  const differences: string[] = [];
  const foreign = new Set<string>();
  for (const version of versions) {
    const left = objectsOf(theirs, version);
    if (typeof left === "string") return { ...text, unreadable: left };
    const right = objectsOf(ours, version);
    // What cannot be read as YAML has no fields to compare.
    if (typeof right === "string") return text;
    if (left.size > 1) for (const [key, { name }] of left) if (!right.has(key)) foreign.add(name);
    const found = fieldDifferences(left, right);
    // A second reading adds only what the first takes for the same.
    if (differences.length === 0) differences.push(...found);
  }
  return { same: differences.length === 0 && foreign.size === 0, differences, foreign: [...foreign] };
}

/** The objects of a file, or why it cannot be read. */
function objectsOf(text: string, version: (typeof versions)[number]): Objects | string {
  const read = readYaml(text, { version, uniqueKeys: true, intAsBigInt: true });
  if ("fault" in read) return read.fault;
  const objects = new Map<string, { name: string; value: unknown }>();
  for (const value of read.documents.flatMap((document) => itemsOf(document))) {
    const { key, name } = identityOf(value);
    const again = objects.has(key) ? ` (number ${objects.size + 1})` : "";
    objects.set(`${key}${again}`, { name: `${name}${again}`, value });
  }
  return objects;
}

/** The objects in a list object, such as `kubectl get -o yaml` prints, and in the lists in it; anything else is one. */
function itemsOf(value: unknown): readonly unknown[] {
  if (!isMap(value) || !String(value["kind"]).endsWith("List") || !Array.isArray(value["items"]))
    return [value];
  return value["items"].flatMap(itemsOf);
}

/** Kind, group, namespace and name tell objects apart; the version of their API does not. */
function identityOf(value: unknown): { readonly key: string; readonly name: string } {
  if (!isMap(value)) return { key: "", name: "a document that is not an object" };
  const { kind, metadata, apiVersion } = value;
  if (typeof kind !== "string") return { key: "an object", name: "an object" };
  const { name, namespace } = isMap(metadata) ? metadata : {};
  const place = typeof namespace === "string" ? `${namespace}/` : "";
  const shortName = `${kind} ${place}${typeof name === "string" ? name : "?"}`;
  const group = typeof apiVersion === "string" && apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
  return { key: `${group} ${shortName}`, name: printable(shortName) };
}

function fieldDifferences(left: Objects, right: Objects): string[] {
  const several = left.size > 1 || right.size > 1;
  const [one, other] = [[...left.values()][0]?.value, [...right.values()][0]?.value];
  // Two single objects are compared field by field even where the name is what differs.
  if (!several) return compareFields("", one, other, hidesValues(one) || hidesValues(other));
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => {
    const [theirs, ours] = [left.get(key), right.get(key)];
    if (theirs === undefined) return [`${ours?.name ?? key}: (absent) -> present`];
    if (ours === undefined) return [`${theirs.name}: present -> (absent)`];
    const hidden = hidesValues(theirs.value) || hidesValues(ours.value);
    return compareFields("", theirs.value, ours.value, hidden).map((line) => `${theirs.name}: ${line}`);
  });
}

/** A Secret is shown without its values: messages end up in logs. */
function hidesValues(value: unknown): boolean {
  return isMap(value) && value["kind"] === "Secret";
}

function compareFields(path: string, theirs: unknown, given: unknown, hidden: boolean): string[] {
  const ours = path === "spec.postBuild" ? withoutAdded(theirs, given) : given;
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

/** Variables that Arcflux adds change nothing for manifests that were written without them. */
function withoutAdded(theirs: unknown, ours: unknown): unknown {
  if (!isMap(theirs) || !isMap(ours) || !isMap(ours["substitute"])) return ours;
  const known = isMap(theirs["substitute"]) ? theirs["substitute"] : undefined;
  const { substitute, ...rest } = ours;
  const left = Object.entries(substitute).filter(
    ([name]) => !name.startsWith(ownPrefix) || (known && Object.hasOwn(known, name)),
  );
  const kept = left.length > 0 || known !== undefined;
  return asRead({ ...rest, ...(kept && { substitute: asRead(Object.fromEntries(left)) }) });
}

/** A map of the kind that readYaml makes. */
function asRead(map: object): unknown {
  return Object.assign(Object.create(null) as object, map);
}

function isSameDuration(path: string, theirs: unknown, ours: unknown): boolean {
  const key = /^spec\.(?:.*\.)?(\w+)$/.exec(path)?.[1] ?? "";
  const inText = /(^|\.)(substitute|labels|annotations|matchLabels|values|data|stringData)\./.test(path);
  if (!durations.has(key) || inText || typeof theirs !== "string" || typeof ours !== "string") return false;
  return sameDuration(theirs, ours);
}

function joined(path: string, key: string): string {
  const name = /^[A-Za-z_][\w-]*$/.test(key) ? key : `[${quoted(key)}]`;
  return path === "" || name.startsWith("[") ? `${path}${name}` : `${path}.${name}`;
}

function show(value: unknown): string {
  if (value === undefined) return "(absent)";
  if (typeof value === "string") return shown(value);
  if (typeof value === "bigint") return String(value);
  const text = printable(
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? Number(inner) : inner)),
  );
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** A map as readYaml makes it; a date or bytes are none. */
function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;
}

/**
 * Pulumi's wire format wraps a secret in an object with a signature and sends a text in place of a value that is not
 * known yet. A stand-in sees plain values: secrets are opened on the way in, and sealed again at the same places on
 * the way out.
 */
import type { Json } from "../azure/json.ts";
import { isObject } from "../azure/json.ts";

const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Stands for an output that is known only after the update. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Pulumi's other texts for unknown values: boolean, number, array, asset, archive, object. */
const unknownValues = new Set([
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Keys and indexes from the root to a value. */
export type ValuePath = readonly (string | number)[];

/** Plain values, with the places where secrets were. */
export interface Opened {
  readonly plain: Json;
  readonly secrets: readonly ValuePath[];
}

export function isUnknown(value: unknown): boolean {
  return typeof value === "string" && unknownValues.has(value);
}

/** Whether anything inside the value is not known yet. */
export function containsUnknown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isUnknown(value);
  return Object.values(value).some(containsUnknown);
}

export function openSecrets(properties: Json): Opened {
  const secrets: ValuePath[] = [];
  const open = (value: unknown, at: ValuePath): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => open(item, [...at, index]));
    if (!isObject(value)) return value;
    if (value[signatureKey] === secretSignature) {
      secrets.push(at);
      return open(value["value"], at);
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, open(item, [...at, key])]));
  };
  return { plain: open(properties, []) as Json, secrets };
}

/** The same values, with those at the given places as secrets. Places that are not there are passed over. */
export function sealSecrets(properties: Json, secrets: readonly ValuePath[]): Json {
  const seal = (value: unknown, at: ValuePath): unknown => {
    if (secrets.some((secret) => samePath(secret, at)) && value !== undefined) {
      return { [signatureKey]: secretSignature, value };
    }
    if (Array.isArray(value)) return value.map((item, index) => seal(item, [...at, index]));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, seal(item, [...at, key])]));
  };
  return secrets.length === 0 ? properties : (seal(properties, []) as Json);
}

function samePath(left: ValuePath, right: ValuePath): boolean {
  return left.length === right.length && left.every((part, index) => part === right[index]);
}

import type { FaultList } from "./armError.ts";
import type { Json } from "./json.ts";
import { isObject, show } from "./json.ts";

/** One of the allowed texts, when the field is there. */
export function oneOf(faults: FaultList, target: string, value: unknown, allowed: readonly string[]): void {
  if (value === undefined || value === null) return;
  if (typeof value === "string" && allowed.includes(value)) return;
  faults.add(target, `${show(value)} is not allowed. Allowed are ${allowed.join(", ")}.`);
}

/** A whole number of seconds as Azure takes it, when the field is there. */
export function seconds(faults: FaultList, target: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 35_791_394) return;
  faults.add(target, `${show(value)} is not a whole number of seconds from 1 to 35791394.`);
}

export function flag(faults: FaultList, target: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === "boolean") return;
  faults.add(target, `${show(value)} is neither true nor false.`);
}

/** A text that is there and not empty. */
export function requiredText(faults: FaultList, target: string, value: unknown): value is string {
  if (typeof value === "string" && value !== "") return true;
  faults.add(target, "The property is required and must not be empty.", "MissingProperty");
  return false;
}

/** A map from text to text, when the field is there. Values are shown only when `secret` is not set. */
export function textMap(faults: FaultList, target: string, value: unknown, secret = false): void {
  if (value === undefined || value === null) return;
  if (!isObject(value)) {
    faults.add(target, "The property must be an object of strings.");
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === "string") continue;
    faults.add(`${target}.${key}`, secret ? "The value is not a string." : `${show(entry)} is not a string.`);
  }
}

/** Standard base64 with padding, as Azure decodes it. */
export function isBase64(text: string): boolean {
  return text !== "" && Buffer.from(text, "base64").toString("base64") === text;
}

/** A base64 text, when the field is there. Never shows the value. */
export function base64(faults: FaultList, target: string, value: unknown): void {
  if (value === undefined || value === null || value === "") return;
  if (typeof value === "string" && isBase64(value)) return;
  faults.add(target, "The value must be base64, on one line.");
}

const tagNameRefused = /[<>%&\\?/]/;

/** Azure's limits on tags: 50 of them, names up to 512 and values up to 256 characters. */
export function tags(faults: FaultList, value: unknown): void {
  textMap(faults, "tags", value);
  const entries = Object.entries((value ?? {}) as Json);
  if (entries.length > 50) faults.add("tags", `There are ${entries.length} tags; 50 are allowed.`);
  for (const [name, text] of entries) {
    if (name === "" || name.length > 512 || tagNameRefused.test(name)) {
      faults.add(`tags.${name}`, "A tag name has 1 to 512 characters and none of <>%&\\?/.");
    }
    if (typeof text === "string" && text.length > 256) {
      faults.add(`tags.${name}`, `The value has ${text.length} characters; 256 are allowed.`);
    }
  }
}

/** A text that names an Azure region, normalised as Azure does it: `West Europe` is `westeurope`. */
export function normalLocation(faults: FaultList, value: unknown): string {
  if (typeof value !== "string" || value === "") {
    faults.add("location", "The location property is required for this definition.", "LocationRequired");
    return "";
  }
  const location = value.toLowerCase().replaceAll(" ", "");
  if (!/^[a-z]{3,}[a-z0-9]*$/.test(location)) {
    faults.add(
      "location",
      `${show(value)} is not the name of a region, such as 'westeurope'.`,
      "LocationNotAvailableForResourceType",
    );
  }
  return location;
}

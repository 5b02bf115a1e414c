import type { Json } from "../azure/json.ts";
import { isObject } from "../azure/json.ts";
import type { ValuePath } from "./values.ts";

const redacted = "[secret]";
const telling = /private|password|passwd|token|secret|credential|apikey/i;

/**
 * Helm values fit for a file: what the program marked as secret, and what its name or its text gives away, is
 * replaced. `secrets` are places inside `values`.
 */
export function redactValues(values: Json, secrets: readonly ValuePath[]): Json {
  const places = new Set(secrets.map((place) => JSON.stringify(place)));
  const redact = (value: unknown, at: ValuePath): unknown => {
    if (places.has(JSON.stringify(at))) return redacted;
    if (Array.isArray(value)) return value.map((item, index) => redact(item, [...at, index]));
    if (isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, redact(item, [...at, key])]),
      );
    }
    const key = String(at.at(-1) ?? "");
    return typeof value === "string" && (telling.test(key) || value.includes("PRIVATE KEY"))
      ? redacted
      : value;
  };
  return redact(values, []) as Json;
}

import type { PlainMap } from "../fleet/model.ts";
import { asMap } from "../values/maps.ts";

/** What a Secret or ConfigMap holds, by key, in the clear. */
export function valuesOf(object: PlainMap): Record<string, string> {
  const plain = (value: unknown) =>
    Object.entries(asMap(value)).map(([key, text]) => [key, String(text)] as const);
  const isSecret = object["kind"] === "Secret";
  const data = plain(object["data"]).map(
    ([key, text]) => [key, isSecret ? Buffer.from(text, "base64").toString("utf8") : text] as const,
  );
  return Object.fromEntries([...data, ...plain(object["stringData"])]);
}

/** Shorter ones stand in many a word by chance. */
const shortest = 4;

/** Values of Secrets, which no text that leaves this process may hold. */
export class HiddenValues {
  readonly #values = new Set<string>();

  constructor(secrets: readonly PlainMap[]) {
    for (const secret of secrets) this.add(secret);
  }

  add(object: PlainMap): void {
    if (object["kind"] !== "Secret") return;
    const encoded = Object.values(asMap(object["data"])).map(String);
    for (const value of [...Object.values(valuesOf(object)), ...encoded])
      if (value.length >= shortest) this.#values.add(value);
  }

  hide(text: string): string {
    // The longest first: one may be a part of another.
    const values = [...this.#values].sort((one, other) => other.length - one.length);
    return values.reduce((rest, value) => rest.replaceAll(value, "(hidden)"), text);
  }
}

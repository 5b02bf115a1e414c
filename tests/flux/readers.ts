import { load, YAML11_SCHEMA } from "js-yaml";
import { parse } from "yaml";

/** Readers that are independent of each other and of our writer, of both YAML versions. */
export const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "yaml, 1.2": (text) => parse(text, { version: "1.2", uniqueKeys: true }) as unknown,
  "yaml, 1.1": (text) => parse(text, { version: "1.1", uniqueKeys: true }) as unknown,
  "js-yaml, 1.2": (text) => load(text),
  "js-yaml, 1.1": (text) => load(text, { schema: YAML11_SCHEMA }),
};

/** What every reader makes of a text; they must agree. */
export function readAll(text: string): unknown[] {
  return Object.values(readers).map((read) => read(text));
}

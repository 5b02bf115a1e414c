import { isMap } from "../values/maps.ts";
import type { ExtensionSettings } from "./model.ts";

/** Settings of several layers, key by key; the later one wins. */
export function mergeExtensions(layers: readonly ExtensionSettings[]): ExtensionSettings {
  return layers.reduce<object>(over, {});
}

function over(before: object, after: object): object {
  const entries = Object.entries(after).map(([key, value]: [string, unknown]) => {
    const old: unknown = (before as Readonly<Record<string, unknown>>)[key];
    return [key, isMap(old) && isMap(value) ? over(old, value) : value] as const;
  });
  return { ...before, ...Object.fromEntries(entries) };
}

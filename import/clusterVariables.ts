import { textsIn } from "../values/maps.ts";
import type { ImportedObject } from "./documents.ts";

const variable = /(\$?)\$\{\s*([A-Za-z_]\w*)/g;

/**
 * Names of the variables in an object that its root replaces on the cluster alone: those that are left in it as it is built.
 * One that its file escapes is none.
 */
export function clusterVariables(
  built: ImportedObject["value"],
  written: ImportedObject["value"] | undefined,
): readonly string[] {
  const escaped = new Set(variablesIn(written).flatMap(([isEscaped, name]) => (isEscaped ? [name] : [])));
  const left = variablesIn(built).map(([, name]) => name);
  return [...new Set(left)].filter((name) => !escaped.has(name)).sort();
}

function variablesIn(value: unknown): (readonly [isEscaped: boolean, name: string])[] {
  return [...textsIn(value)].flatMap((text) =>
    [...text.matchAll(variable)].map(([, dollar, name]) => [dollar !== "", name!] as const),
  );
}

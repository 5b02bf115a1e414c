import type { Built, Substitution } from "../../build/index.ts";
import { asList, asMap, asText } from "../../values/maps.ts";

/** A variable that nothing refers to: without any, Flux would put nothing in and leave `$$` as it is. */
const some = "arcflux_some";

/**
 * How Flux puts variables into a set, by its spec and the version of Flux. What `substituteFrom` would define is only known
 * on the cluster: those references stay as they are written. Undefined where nothing is put in.
 */
export function variablesOf(
  spec: Readonly<Record<string, unknown>>,
  version: string,
  built: Built,
): Substitution | undefined {
  if (spec["postBuild"] === undefined) return undefined;
  const postBuild = asMap(spec["postBuild"]);
  const isOpen = asList(postBuild["substituteFrom"]).length > 0;
  const used = namesIn(built);
  const variables: Record<string, string> = {};
  if (isOpen) for (const name of used) variables[name] = `\${${name}}`;
  // Those that nothing uses would only keep clusters apart that get the same.
  for (const [name, value] of Object.entries(asMap(postBuild["substitute"])))
    variables[used.has(name) ? name : some] = used.has(name) ? (asText(value) ?? "") : "";
  return {
    variables,
    strict: !isOpen && failsUndefined(version),
    always: asText(postBuild["substituteStrategy"]) === "Always",
  };
}

function namesIn({ objects }: Built): Set<string> {
  const found = objects.flatMap(({ text = "" }) => [...text.matchAll(/\$\{#?([A-Za-z_]\w*)/g)]);
  return new Set(found.map(([, name]) => name!));
}

/** From 2.9 on, a variable that nothing defines fails the set. */
function failsUndefined(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 9);
}

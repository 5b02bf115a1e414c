import type { Builder, BuildFault, Built, Substitution } from "../../build/index.ts";
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
  if (isOpen) for (const name of used) variables[name] = standIn(name);
  // Those that nothing uses would only keep clusters apart that get the same.
  for (const [name, value] of Object.entries(asMap(postBuild["substitute"])))
    variables[used.has(name) ? name : some] = used.has(name) ? (asText(value) ?? "") : "";
  return {
    variables,
    strict: !isOpen && failsUndefined(version),
    always: asText(postBuild["substituteStrategy"]) === "Always",
  };
}

/**
 * Puts variables into a set. A reference that stands for what the cluster knows may break the text around it, where its
 * default, such as a quote, would not: then the default is taken, by which the author wrote that text.
 */
export async function fill(
  { substitute }: Pick<Builder, "substitute">,
  built: Built,
  how: Substitution,
): Promise<Built | BuildFault> {
  const filled = await substitute(built, how);
  if (filled.kind !== "fault") return filled;
  const bare = new Set(referencesIn(built).flatMap(({ name, hasDefault }) => (hasDefault ? [] : [name])));
  const known = Object.entries(how.variables).filter(
    ([name, value]) => bare.has(name) || value !== standIn(name),
  );
  const isSame = known.length === Object.keys(how.variables).length;
  return isSame ? filled : substitute(built, { ...how, variables: Object.fromEntries(known) });
}

/** What stands for a variable that only the cluster knows: the reference, as it is written. */
export function standIn(name: string): string {
  return `\${${name}}`;
}

function namesIn(built: Built): Set<string> {
  return new Set(referencesIn(built).map(({ name }) => name));
}

function referencesIn({ objects }: Built): { readonly name: string; readonly hasDefault: boolean }[] {
  return objects.flatMap(({ text = "" }) =>
    [...text.matchAll(/\$\{#?([A-Za-z_]\w*)(:?[=-])?/g)].map(([, name, operator]) => ({
      name: name!,
      hasDefault: operator !== undefined,
    })),
  );
}

/** From 2.9 on, a variable that nothing defines fails the set. */
function failsUndefined(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 9);
}

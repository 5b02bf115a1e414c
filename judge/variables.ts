import type { ClusterSet } from "../fleet/model.ts";
import { asList, asMap, asText, textsIn } from "../values/maps.ts";
import { fluxMark } from "./objects.ts";
import { type Build, type BuiltObject, objectsOf } from "./subject.ts";
import { substitutions } from "./substitution.ts";

/** What a set puts in the place of `${…}`. */
export interface Defined {
  /** Names with their values, as text. */
  readonly names: ReadonlyMap<string, string>;
  /** ConfigMaps and Secrets on the cluster that may define more: `ConfigMap site`. */
  readonly from: readonly string[];
  /** Whether Flux looks for variables at all. */
  readonly substitutes: boolean;
}

/** The variables of a set. */
export function definedFor({ spec }: Pick<ClusterSet, "spec">): Defined {
  const { substitute, substituteFrom, substituteStrategy } = asMap(spec["postBuild"]);
  const names = new Map(Object.entries(asMap(substitute)).map(([name, value]) => [name, String(value)]));
  const from = asList(substituteFrom).map((entry) => {
    const { kind, name } = asMap(entry);
    return `${asText(kind) ?? "ConfigMap"} ${asText(name) ?? ""}`;
  });
  const substitutes = names.size > 0 || from.length > 0 || substituteStrategy === "Always";
  return { names, from, substitutes };
}

/** What a build needs, and of what. */
export interface Needs {
  /** Each name once, with the first object that has it; `optional` where each place has a default of its own. */
  readonly names: ReadonlyMap<string, { readonly object: BuiltObject; readonly optional: boolean }>;
  /** What begins like a variable and is none, so that Flux refuses the object. */
  readonly faults: readonly { readonly object: BuiltObject; readonly text: string }[];
}

const known = new WeakMap<Build, Needs>();

/** The variables in the objects of a build that Flux looks at. Read once for each build. */
export function needsOf(build: Build): Needs {
  const found = known.get(build) ?? readNeeds(objectsOf(build));
  known.set(build, found);
  return found;
}

function readNeeds(objects: readonly BuiltObject[]): Needs {
  const names = new Map<string, { object: BuiltObject; optional: boolean }>();
  const faults: { object: BuiltObject; text: string }[] = [];
  for (const object of objects) {
    // A SOPS-encrypted text is not what Flux will see; and some objects say that they want nothing put in.
    if (fluxMark(object, "substitute") === "disabled") continue;
    for (const text of textsIn(object.value)) {
      if (!text.includes("${")) continue;
      const { references, faults: unreadable } = substitutions(text);
      for (const { name, optional } of references) {
        const entry = names.get(name);
        if (entry === undefined || (entry.optional && !optional)) names.set(name, { object, optional });
      }
      for (const fault of unreadable) faults.push({ object, text: fault });
    }
  }
  return { names, faults };
}

/** A text with the variables put in that are known; undefined where one of them is not. */
export function filledIn(text: string, { names, substitutes }: Defined): string | undefined {
  if (!text.includes("${") || !substitutes) return text;
  let unknown = false;
  const filled = text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const value = names.get(name);
    if (value === undefined) unknown = true;
    return value ?? "";
  });
  return unknown || filled.includes("${") ? undefined : filled;
}

/** Whether something of a build is encrypted, so that what it needs cannot be seen. */
export function hidesNeeds(build: Build): boolean {
  return objectsOf(build).some(({ value }) => value["sops"] !== undefined);
}

import type { ResourceRemediation } from "@pulumi/policy";

import { isUnknownValue } from "./checkEachKnown.ts";
import type { PlainMap } from "./plainValue.ts";

/** A value to be written into the inputs of a resource, at a path of keys. */
export interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Whether what is there is taken out first: what takes the place of a secret is made one as a whole. */
  readonly anew?: true;
}

/** Says what is written into a resource; nothing where it is right. */
export type Remedy = (props: PlainMap, settings: PlainMap) => readonly Change[];

/**
 * The remediation that writes changes. In place: a copy would have to read all else, which may be unknown in a preview, so that
 * nothing would be written; and what it read of a secret would be plain text from then on.
 */
export function remediation(isMeant: (type: string) => boolean, remedy: Remedy): ResourceRemediation {
  return (args) => {
    const { type, props } = args;
    const changes = isMeant(type) ? remedy(props, args.getConfig<PlainMap>()) : [];
    for (const { path, value, anew = false } of changes) {
      const inner = path
        .slice(0, -1)
        .reduce((map, key) => (map[key] ??= {}) as Record<string, unknown>, props as Record<string, unknown>);
      const key = path.at(-1)!;
      if (anew) Reflect.deleteProperty(inner, key);
      inner[key] = value;
    }
    return changes.length === 0 ? undefined : props;
  };
}

/** Whether a key has a value, be it one that is not known yet. */
export function isGiven(map: PlainMap, key: string): boolean {
  try {
    return map[key] !== undefined;
  } catch (error) {
    if (isUnknownValue(error)) return true;
    throw error;
  }
}

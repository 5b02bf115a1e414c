import type { Layer } from "./layers.ts";
import type { SetFields } from "./schema/set.ts";

/** Fields of a set without those that null took away. */
export type Merged = { [Field in Exclude<keyof SetFields, "uniform">]: NonNullable<SetFields[Field]> };

/**
 * The fields of a set once its layers are merged. `labels`, `annotations` and postBuild.substitute are merged key by key,
 * postBuild field by field; all else is replaced as a whole, lists too. null takes a value away.
 */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const merged: Record<string, unknown> = {};
  let waitAt = -1;
  let checksAt = -1;
  for (const [index, { fields }] of layers.entries()) {
    for (const field in fields) {
      const value = fields[field as keyof SetFields];
      // What a shared set says of its clusters is not a field of the set.
      if (value === undefined || field === "uniform") continue;
      if (field === "wait") waitAt = index;
      if (field === "healthChecks" && (value as readonly unknown[] | null)?.length) checksAt = index;
      if (value === null) delete merged[field];
      else merged[field] = over(field, merged[field] as object | undefined, value);
      // The two say the same thing, so the later one wins.
      if (field === "source") delete merged.sourceRef;
      if (field === "sourceRef") delete merged.source;
    }
  }
  // With `wait` Flux ignores health checks; written on top of it, they are what is meant.
  if (merged.wait === true && merged.healthChecks !== undefined && checksAt > waitAt) delete merged.wait;
  return merged as Merged;
}

function over(field: string, before: object | undefined, value: unknown): unknown {
  if (before === undefined) return value;
  switch (field) {
    case "labels":
    case "annotations":
      return { ...before, ...(value as object) };
    case "postBuild": {
      const [old, next] = [before as PostBuild, value as PostBuild];
      const substitute = old.substitute &&
        next.substitute && { substitute: { ...old.substitute, ...next.substitute } };
      return { ...old, ...next, ...substitute };
    }
    default:
      return value;
  }
}

type PostBuild = NonNullable<SetFields["postBuild"]>;

import type { Plain, PlainMap } from "../fleet/model.ts";
import type { BuildOutcome } from "./types.ts";

/** Puts `commonMetadata` on every object, which Flux does after all else. */
export function withCommonMetadata<T extends BuildOutcome>(outcome: T, spec: PlainMap): T {
  const common = spec["commonMetadata"];
  if (outcome.kind !== "built" || !isMap(common)) return outcome;
  const objects = outcome.objects.map((each) => ({ ...each, object: withMetadata(each.object, common) }));
  return { ...outcome, objects, commonMetadata: common };
}

function withMetadata(object: PlainMap, { labels, annotations }: PlainMap): PlainMap {
  const metadata = isMap(object["metadata"]) ? object["metadata"] : {};
  return {
    ...object,
    metadata: {
      ...metadata,
      ...joined("labels", metadata["labels"], labels),
      ...joined("annotations", metadata["annotations"], annotations),
    },
  };
}

function joined(name: string, own: Plain | undefined, common: Plain | undefined): PlainMap {
  return isMap(common) ? { [name]: { ...(isMap(own) ? own : {}), ...common } } : {};
}

function isMap(value: Plain | undefined): value is PlainMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

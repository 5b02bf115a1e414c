import type { FluxMinor } from "../../values/fluxVersions.ts";
import { nearest } from "../../values/nearest.ts";
import { showNames } from "../../values/show.ts";
import type { SpecSchema } from "./schema.ts";
import { minorsOf, type Place } from "./since.ts";
import { expectation } from "./wording.ts";

/** What to say about a field that the schema of a minor does not have: another minor may. */
export function unknownField(place: Place, minor: FluxMinor): (key: string) => string {
  const elsewhere = minorsOf(place, fieldNames);
  const here = fieldNames(place.get(minor)!);
  return (key) => {
    const gate = gateMessage(elsewhere.get(key), place, minor);
    if (gate !== undefined) return gate;
    // A misspelt name of a newer field is named too: the next run then tells the version that it needs.
    const near = nearest(key, elsewhere.keys());
    const hint = near === undefined ? "" : ` the nearest known key is ${near};`;
    return `unknown key;${hint} allowed here: ${showNames(here, 40)}`;
  };
}

/** What to say about a name that is known in `minors` but not in `minor`; undefined when no known version has it. */
export function gateMessage(
  minors: readonly FluxMinor[] | undefined,
  place: Place,
  minor: FluxMinor,
): string | undefined {
  if (minors === undefined) return undefined;
  const order = [...place.keys()];
  const later = minors.find((other) => order.indexOf(other) > order.indexOf(minor));
  if (later !== undefined) {
    return `needs Flux ${later}; this cluster runs ${minor}: remove it, or set flux.version once the cluster runs ${later}`;
  }
  const gone = order[order.indexOf(minors.at(-1)!) + 1]!;
  return `is gone since Flux ${gone}; this cluster runs ${minor}: remove it`;
}

/** What to say about a required field that is missing: a later minor may do without it. */
export function missingField(name: string, place: Place, minor: FluxMinor): string {
  const wanted = expectation(place.get(minor)!.properties![name]!);
  const order = [...place.keys()];
  const later = order.slice(order.indexOf(minor) + 1);
  const free = later.find((other) => !place.get(other)!.required?.includes(name));
  return free === undefined
    ? `is missing; it is required: ${wanted}`
    : `is missing; it is required before Flux ${free}, and this cluster runs ${minor}: ${wanted}`;
}

function fieldNames(schema: SpecSchema): string[] {
  return Object.keys(schema.properties ?? {});
}

import type { Loaded, Overrides } from "../fleet/load.ts";
import { readFleet, type Unwritten } from "../fleet/readFleet.ts";
import { judgementList } from "../judge/index.ts";
import { validateSpec } from "../flux/crd/validate.ts";

/** Loads a fleet file, with every spec checked against the CRDs of the version of Flux that its cluster runs. */
export function readCheckedFleet(path: string, overrides: Overrides & Unwritten = {}): Promise<Loaded> {
  return readFleet(path, { ...overrides, validateSpec, judgements: judgementList.map(({ name }) => name) });
}

import type { FluxMinor } from "../../../values/fluxVersions.ts";
import fc from "fast-check";
import { expect } from "vitest";
import type { CrdKind } from "../../../flux/crd/kinds.ts";
import { validateSpec } from "../../../flux/crd/validate.ts";
import { anySpec } from "./anySpec.ts";
import { oracle, type RawSchema } from "./oracle.ts";

/** Demands that validateSpec and ajv agree on random specs: on whether there is a fault, and on where. */
export function expectAgreement(kind: CrdKind, minor: FluxMinor, schema: RawSchema, numRuns: number): void {
  const second = oracle(kind, minor, schema);
  let valid = 0;
  fc.assert(
    fc.property(anySpec(kind), (spec) => {
      const faults = validateSpec(kind, minor, spec);
      const verdict = second(spec);
      if (verdict.valid) valid++;
      expect(faults.length === 0, JSON.stringify(faults)).toBe(verdict.valid);
      const places = new Set(faults.map(({ path }) => path.join(" ")));
      expect([...verdict.places].filter((place) => !places.has(place))).toEqual([]);
    }),
    { numRuns },
  );
  // A generator that makes only good or only bad specs would show nothing.
  expect(valid).toBeGreaterThan(numRuns / 20);
  expect(valid).toBeLessThan(numRuns);
}

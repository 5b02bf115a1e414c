import { fluxMinors } from "../../../values/fluxVersions.ts";
import { describe, it } from "vitest";
import { crdKinds, type CrdKind } from "../../../flux/crd/kinds.ts";
import { schemas } from "../../../flux/crd/schemas.ts";
import { expectAgreement } from "./agreement.ts";
import type { RawSchema } from "./oracle.ts";

/* With the committed schemas; sources.spec.ts does the same with the CRDs themselves where Go is at hand. */
describe.each(Object.keys(crdKinds) as CrdKind[])("validateSpec and ajv on a random %s", (kind) => {
  it.each(fluxMinors)("agree in Flux %s", (minor) => {
    expectAgreement(kind, minor, schemas[kind][minor] as unknown as RawSchema, 150);
  });
});

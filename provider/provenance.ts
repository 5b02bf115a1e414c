import type { Provenance } from "../git/index.ts";

/** Where a write of this resource comes from: stack, project and name are in its URN. */
export function provenanceOf(urn: string, version: string, operation?: Provenance["operation"]): Provenance {
  // urn:pulumi:STACK::PROJECT::TYPES::NAME
  const [stack = "", project = "", , resource] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project, resource, version, operation };
}

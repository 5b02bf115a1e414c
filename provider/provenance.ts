import type { Provenance } from "../git/index.ts";

/** Where a write of this resource comes from: stack and project are in its URN. */
export function provenanceOf(urn: string, version: string, operation?: Provenance["operation"]): Provenance {
  // urn:pulumi:STACK::PROJECT::TYPES::NAME
  const [stack = "", project = ""] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project, version, operation };
}

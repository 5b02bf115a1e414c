import type { Provenance } from "../git/index.ts";

/** Name of a resource: the last part of its URN. It may hold "::" itself, and no type can. */
export function resourceName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Where a write of this resource comes from: stack, project and name are in its URN. */
export function provenanceOf(urn: string, version: string, operation?: Provenance["operation"]): Provenance {
  // urn:pulumi:STACK::PROJECT::TYPES::NAME
  const [stack = "", project = ""] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project, resource: resourceName(urn), version, operation };
}

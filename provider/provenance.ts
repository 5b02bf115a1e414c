import type { Provenance } from "../git/index.ts";
import type { GitFilesInputs } from "./inputs.ts";

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

/** Whom an inventory names for this resource: project, stack and cluster, or the resource where it is for no cluster. */
export function ownerOf(urn: string, { delivery }: Pick<GitFilesInputs, "delivery">): string {
  const { project, stack } = provenanceOf(urn, "");
  const owner = `${project}/${stack}/${delivery?.cluster ?? resourceName(urn)}`;
  return owner.replace(/[\u0000-\u001f\u007f]+/g, " ");
}

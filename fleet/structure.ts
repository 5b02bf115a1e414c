import type { Path } from "./finding.ts";
import type { FleetFile } from "./schema.ts";
import type { SourceKind } from "./model.ts";

/** Kinds of Flux objects whose spec a fleet file states. */
export type SpecKind = "Kustomization" | "Provider" | "Alert" | Exclude<SourceKind, "ExternalArtifact">;

/**
 * The faults of a spec by Flux's own schema of one minor version, each with the path from the spec down. fleet/ does not
 * know that schema: whoever loads a fleet hands in `validateSpec` of flux/crd.
 */
export type ValidateSpec = (
  kind: SpecKind,
  fluxMinor: FleetFile["flux"]["version"],
  spec: unknown,
) => readonly { readonly path: Path; readonly message: string }[];

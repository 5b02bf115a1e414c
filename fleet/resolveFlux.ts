import type { FluxOnCluster } from "./model.ts";
import type { FleetFile } from "./schema.ts";

type FluxEntry = { readonly [Field in keyof FleetFile["flux"]]?: FleetFile["flux"][Field] | undefined };

/** What Flux a cluster runs, by its layers. A checksum is of the manifests beside it, and of no others that a layer names. */
export function resolveFlux(layers: readonly FluxEntry[]): FluxOnCluster {
  let merged: FluxEntry = {};
  for (const layer of layers) {
    const isOther = layer.manifests !== undefined && layer.manifestsSha256 === undefined;
    merged = { ...merged, ...(isOther && { manifestsSha256: undefined }), ...layer };
  }
  const { version = "", lockdown = true, install, manifests, manifestsSha256: sha256, sync } = merged;
  return {
    ...{ version, lockdown },
    ...(sync === "self" && { syncsItself: true as const }),
    ...(install === true &&
      manifests !== undefined && { install: { manifests, ...(sha256 !== undefined && { sha256 }) } }),
  };
}

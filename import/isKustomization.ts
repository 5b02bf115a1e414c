import { asText } from "../values/maps.ts";

/** Whether an object is one of Flux's Kustomizations, of whichever version. */
export function isKustomization({
  kind,
  apiVersion,
}: {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
}): boolean {
  return kind === "Kustomization" && (asText(apiVersion) ?? "").startsWith("kustomize.toolkit.fluxcd.io/");
}

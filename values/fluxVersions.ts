/** Minor versions of Flux whose API is known here, oldest first. */
export const fluxMinors = ["2.7", "2.8", "2.9", "2.10"] as const;
export type FluxMinor = (typeof fluxMinors)[number];

/** Whether one version is another or newer: `2.10` is newer than `2.9`. */
export function isAtLeast(version: string, least: FluxMinor): boolean {
  return fluxMinors.indexOf(version as never) >= fluxMinors.indexOf(least);
}

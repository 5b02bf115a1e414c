/** Versions of Flux whose API is known here. */
export const fluxVersions = ["2.7", "2.8", "2.9", "2.10"] as const;

/** Whether one version is another or newer: `2.10` is newer than `2.9`. */
export function isAtLeast(version: string, least: (typeof fluxVersions)[number]): boolean {
  return fluxVersions.indexOf(version as never) >= fluxVersions.indexOf(least);
}

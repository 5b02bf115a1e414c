/** Minor versions of Flux whose API is known here, oldest first. */
export const fluxMinors = ["2.7", "2.8", "2.9", "2.10"] as const;
export type FluxMinor = (typeof fluxMinors)[number];

/** Versions that Flux itself still mends: its three newest minors. */
export const supportedMinors: readonly FluxMinor[] = fluxMinors.slice(-3);

/** Whether one version is another or newer: `2.10` is newer than `2.9`. */
export function isAtLeast(version: string, least: FluxMinor): boolean {
  return fluxMinors.indexOf(version as never) >= fluxMinors.indexOf(least);
}

/** Version of Flux in a version of Azure's extension, by its release notes. */
export function fluxOfExtension(version: string): string | undefined {
  const [, major, minor = "0"] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  if (major !== "1") return undefined;
  const number = Number(minor);
  return number >= 23 ? "2.7" : number >= 20 ? "2.6" : undefined;
}

/** An Azure region as Azure compares it: `West Europe` and `westeurope` are one. */
export function regionKey(region: string): string {
  return region.toLowerCase().replaceAll(" ", "");
}

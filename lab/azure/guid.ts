import { createHash } from "node:crypto";

/** A GUID that is the same for the same text: ids in the lab do not change from run to run. */
export function stableGuid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

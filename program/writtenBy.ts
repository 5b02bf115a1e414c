import { createHash } from "node:crypto";

import type { Loaded } from "../fleet/load.ts";
import packageFile from "../package.json" with { type: "json" };

/** What an update was made by and from: an output of the stack. */
export interface WrittenBy {
  /** Version of Arcflux. */
  readonly version: string;
  /** Checksum of the fleet file and what it includes: of values, not of comments and spacing. */
  readonly fleet: string;
}

export function writtenBy({ origin }: Loaded, version: string = packageFile.version): WrittenBy {
  const text = JSON.stringify(origin?.documents.data ?? null);
  return { version, fleet: createHash("sha256").update(text).digest("hex").slice(0, 16) };
}

/**
 * Whether it is the fleet file or a new version of Arcflux that changes generated files; undefined where both are as they
 * were, or the fleet file alone is not.
 */
export function versionNote(before: WrittenBy | undefined, now: WrittenBy): string | undefined {
  if (before === undefined || before.version === now.version) return undefined;
  return before.fleet === now.fleet
    ? `The fleet file is as it was: Arcflux ${now.version} writes this otherwise than ${before.version} did. CHANGELOG.md says why, under "Renders differently".`
    : `Arcflux is ${now.version} and was ${before.version}, and the fleet file changed too. To see what the new version alone changes, preview with the fleet file of the last update.`;
}

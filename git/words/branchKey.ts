import { createHash } from "node:crypto";
import type { Branch } from "./types.ts";

/** A name for the branch that can stand in a file name and tells nothing; other spellings of one URL share it. */
export function branchKey({ url, branch }: Branch): string {
  const plain = url.replace(/\/+$/, "").replace(/\.git$/, "");
  return createHash("sha256").update(`${plain}\n${branch}`).digest("hex").slice(0, 24);
}

import { createHash } from "node:crypto";

import type { ObjectId } from "../git/index.ts";

/** Git's id of a file with this content, in the object format (SHA-1 or SHA-256) that `like` is written in. */
export function blobId(content: string, like: ObjectId): ObjectId {
  const bytes = Buffer.from(content, "utf8");
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

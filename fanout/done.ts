import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../disk/wholeFile.ts";
import type { Placement } from "../deployments/index.ts";
import type { Fleet } from "../fleet/model.ts";

/* What is kept so that a run can be resumed: of each stack that succeeded, from what. What has changed since is run again. */

/** What a stack is made from: its clusters as they are resolved, its config, and the project's own files. */
export async function fingerprint(
  { repository }: Pick<Fleet, "repository">,
  { stack, clusters }: Placement,
  folder: string,
): Promise<string> {
  const names = ["Pulumi.yaml", `Pulumi.${stack}.yaml`, "index.ts", "package-lock.json"];
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  return createHash("sha256")
    .update(JSON.stringify([repository, clusters, files]))
    .digest("hex");
}

/** By stack, what it was made from when it last succeeded; empty where nothing is kept, or not as this version keeps it. */
export async function readDone(file: string): Promise<Map<string, string>> {
  try {
    const kept = JSON.parse(await readFile(file, "utf8")) as unknown;
    const entries = typeof kept === "object" && kept !== null ? Object.entries(kept) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return new Map();
  }
}

export async function saveDone(file: string, done: ReadonlyMap<string, string>): Promise<void> {
  // Whole or not at all: a run may be killed at any time.
  await replaceFile(file, `${JSON.stringify(Object.fromEntries(done), null, 2)}\n`);
}

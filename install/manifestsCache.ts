import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../disk/wholeFile.ts";
import { cacheFolder } from "../values/cacheFolder.ts";
import type { FluxManifests } from "./manifests.ts";

/*
 * Manifests that were read, by the checksum of their text, in the cache of this user. The provider that installs them is
 * another process, and half a megabyte for each of many clusters belongs neither into its requests nor into the state.
 */

/** Raised with the form of what is kept. */
const form = 1;

export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

function fileOf(sha256: string, env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), "manifests", `${sha256}.${form}.json`);
}

/** Undefined where this machine has not read them yet. */
export async function keptManifests(
  sha256: string,
  env: NodeJS.ProcessEnv,
): Promise<FluxManifests | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(sha256, env), "utf8")) as FluxManifests;
  } catch {
    return undefined;
  }
}

export async function keepManifests(manifests: FluxManifests, env: NodeJS.ProcessEnv): Promise<void> {
  // Whole or not at all: another run may read it at the same time.
  await replaceFile(fileOf(manifests.sha256, env), JSON.stringify(manifests));
}

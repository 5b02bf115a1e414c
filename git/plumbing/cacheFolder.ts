import { join, resolve } from "node:path";
import { cacheFolder } from "../../values/cacheFolder.ts";

/** Where the writers of one machine keep locks and notes: a folder of its own where the user names one. */
export function gitCacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const own = env["ARCFLUX_GIT_CACHE_DIR"];
  return own ? resolve(own) : join(cacheFolder(env, platform), "git");
}

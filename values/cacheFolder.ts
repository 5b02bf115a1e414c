import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** The folder of this user that all of Arcflux shares, by the rule that the set-up follows too (scripts/setup/paths.mjs). */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (env["ARCFLUX_CACHE_DIR"]) return resolve(env["ARCFLUX_CACHE_DIR"]);
  const home = env["HOME"] || homedir();
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "arcflux");
  if (platform === "darwin") return join(home, "Library", "Caches", "arcflux");
  const xdg = env["XDG_CACHE_HOME"];
  // The specification of XDG_CACHE_HOME says that a relative one is to be ignored.
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".cache"), "arcflux");
}

import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve, sep } from "node:path";

/** The per-user folder that all clones share. ARCFLUX_CACHE_DIR overrides it. */
export function cacheFolder(env = process.env, platform = process.platform) {
  if (env.ARCFLUX_CACHE_DIR) return resolve(env.ARCFLUX_CACHE_DIR);
  const home = env.HOME || homedir();
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "arcflux");
  if (platform === "darwin") return join(home, "Library", "Caches", "arcflux");
  // The specification of XDG_CACHE_HOME says that a relative one is to be ignored.
  const xdg =
    env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : join(home, ".cache");
  return join(xdg, "arcflux");
}

/** The path with its links followed, or as it is when it does not exist. */
export function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whether a path, its links followed, lies in one of the folders. */
export function isBelow(path, folders) {
  const real = realPath(path);
  return folders.some((folder) => `${real}${sep}`.startsWith(`${realPath(folder)}${sep}`));
}

/**
 * The first program of that name on PATH that neither stands in nor links into the `ours` folders:
 * npm scripts put our own node_modules/.bin first, and what is linked there is not the user's.
 */
export function findOnPath(name, { env = process.env, ours = [] } = {}) {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  for (const folder of (env.PATH ?? env.Path ?? "").split(delimiter)) {
    if (folder === "" || isBelow(folder, ours)) continue;
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (!existsSync(file) || isBelow(file, ours)) continue;
      const { mode } = statSync(file);
      if (process.platform === "win32" || (mode & 0o111) !== 0) return file;
    }
  }
  return undefined;
}

/** PATH without the `ours` folders, and with `first` in front. */
export function searchPath(first, { env = process.env, ours = [] } = {}) {
  const rest = (env.PATH ?? env.Path ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "" && !isBelow(folder, ours));
  return [...first, ...rest].join(delimiter);
}

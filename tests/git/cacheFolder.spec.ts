import { describe, expect, it } from "vitest";
import { gitCacheFolder } from "../../git/plumbing/cacheFolder.ts";
import { cacheFolder } from "../../values/cacheFolder.ts";

describe("the folder that writers share", () => {
  it.each<[NodeJS.ProcessEnv, string]>([
    [{ HOME: "/home/me" }, "/home/me/.cache/arcflux/git"],
    [{ HOME: "/home/me", XDG_CACHE_HOME: "/var/cache/me" }, "/var/cache/me/arcflux/git"],
    [{ HOME: "/home/me", XDG_CACHE_HOME: "relative" }, "/home/me/.cache/arcflux/git"],
    [{ HOME: "/home/me", ARCFLUX_CACHE_DIR: "/srv/arcflux" }, "/srv/arcflux/git"],
    [
      { HOME: "/home/me", ARCFLUX_CACHE_DIR: "/srv/arcflux", ARCFLUX_GIT_CACHE_DIR: "/srv/locks" },
      "/srv/locks",
    ],
    [{ HOME: "/home/me", ARCFLUX_GIT_CACHE_DIR: "" }, "/home/me/.cache/arcflux/git"],
  ])("for %j is %s", (env, folder) => {
    expect(gitCacheFolder(env, "linux")).toBe(folder);
  });

  it("is in the cache of the system where nothing is said", () => {
    expect(cacheFolder({ HOME: "/Users/me" }, "darwin")).toBe("/Users/me/Library/Caches/arcflux");
    expect(cacheFolder({ HOME: "/h", LOCALAPPDATA: "/h/local" }, "win32")).toBe("/h/local/arcflux");
  });
});

import { versionOf } from "./cache.mjs";
import { goModuleVersion } from "./goBuildInfo.mjs";
import { findOnPath } from "./paths.mjs";
import { parseVersion } from "./version.mjs";

/**
 * The user's own copy of a tool: `{ path }` when it is the right one, `{ note }` with the reason when there is one that is
 * not, `{}` when there is none. Kubernetes and etcd may be newer within their major version; what must fit exactly is
 * known by the module that Go noted in it.
 */
export async function lookOnPath(ctx, tool, { module, version }) {
  const path = findOnPath(tool.name, { ours: ctx.ours });
  if (path === undefined) return {};
  const ignored = (says) => ({
    note: `${tool.name} on PATH, ${path}, ${says}; the lab gets ${tool.version}, yours stays as it is`,
  });
  if (tool.onPath === "same") {
    const has = goModuleVersion(path, module);
    if (has === version) return { path };
    return ignored(has === undefined ? "does not tell its version" : `is version ${has}`);
  }
  const says = await versionOf(path, tool.versionArgs, ctx.cache);
  if (says === undefined) return ignored("does not run");
  const [[major, minor], [wantedMajor, wantedMinor]] = [parseVersion(says), parseVersion(tool.version)];
  return major === wantedMajor && minor >= wantedMinor ? { path } : ignored(`is version ${says}`);
}

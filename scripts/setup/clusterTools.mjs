import { copyFileSync, mkdirSync, promises, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkTool, makeTool } from "./cache.mjs";
import { lookOnPath } from "./clusterToolsOnPath.mjs";
import { goBuild, goModuleFolder, needGo, needRoom } from "./goBuild.mjs";
import { goModuleVersion } from "./goBuildInfo.mjs";
import { self } from "./owner.mjs";
import { withinMemory } from "./withinMemory.mjs";

const ending = process.platform === "win32" ? ".exe" : "";

/** What the lab needs for a real Kubernetes API with Flux: `lab/tools/tools.json`. */
function listOf(ctx) {
  return JSON.parse(readFileSync(join(ctx.root, "lab", "tools", "tools.json"), "utf8"));
}

/** The Go module that a tool is built from, and its version. */
function moduleOf(tool) {
  return { module: tool.module ?? tool.package, version: tool.moduleVersion ?? tool.version };
}

function cacheTool(tool) {
  const { module, version } = moduleOf(tool);
  return {
    name: tool.name,
    version: tool.version,
    binary: tool.name + ending,
    ...(tool.versionArgs
      ? { versionArgs: tool.versionArgs }
      : // It is asked for by its own number, and the module that it is made from has another.
        { versionIn: (path) => (goModuleVersion(path, module) === version ? tool.version : undefined) }),
  };
}

/**
 * The tools by key, each `{ tool, path }`, or without a path when it has to be brought: from PATH where it is the right
 * one, else from the cache. `note` says why one on PATH is not used.
 */
export async function lookForClusterTools(ctx) {
  const { tools } = listOf(ctx);
  const found = await Promise.all(tools.map((tool) => look(ctx, tool)));
  return Object.fromEntries(found.map((one) => [one.tool.key, one]));
}

async function look(ctx, tool) {
  const users = await lookOnPath(ctx, tool, moduleOf(tool));
  // Flux's controllers are used together with the CRDs of their module, which lie in the cache beside them.
  if (users.path !== undefined && tool.crds === undefined) return { tool, path: users.path, origin: "path" };
  const cached = await checkTool(ctx.cache, cacheTool(tool));
  return { tool, path: cached.path, origin: cached.manifest?.origin, users };
}

/** Brings those that are missing: one after the other where memory or cores are scarce. */
export async function bringClusterTools(ctx, looked) {
  const missing = Object.values(looked).filter(({ path }) => path === undefined);
  const place = join(ctx.cache, "tmp", `${self}.cluster-tools`);
  const seconds = missing.reduce((sum, { tool }) => sum + tool.secondsToBuild, 0);
  ctx.report.line(
    `${missing.length} programs for a real Kubernetes API, built from their Go modules once (about ${Math.ceil(seconds / 60)} minutes on two cores)`,
  );
  mkdirSync(place, { recursive: true });
  try {
    await needRoom(ctx, "them", place, listOf(ctx).freeMegabytesToBuild);
    const brought = await withinMemory(missing, async (one) => {
      if (one.users?.note !== undefined) ctx.report.line(one.users.note);
      const { path, manifest } = await makeTool(
        ctx.cache,
        cacheTool(one.tool),
        ctx.report,
        (entry, temp, lock) => fill(ctx, one, entry, place, lock),
      );
      return { tool: one.tool, path, origin: manifest.origin };
    });
    return { ...looked, ...Object.fromEntries(brought.map((one) => [one.tool.key, one])) };
  } finally {
    await promises.rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Fills the folder `entry` of a tool: the program, and the CRDs of its module. */
async function fill(ctx, { tool, users }, entry, place, lock) {
  const recipe = join(ctx.root, "lab", "tools", tool.recipe);
  const { module, version } = moduleOf(tool);
  const binary = tool.name + ending;
  const build = {
    what: tool.name,
    title: `${tool.name} ${tool.version}, built from its Go modules`,
    missing: `no ${tool.name} ${tool.version} on PATH`,
    otherwise: `put ${tool.name} ${tool.version} on PATH`,
    recipe,
    package: tool.package,
    ldflags: (tool.stamp ?? "")
      .split(" ")
      .filter(Boolean)
      .map((one) => `-X ${one}`)
      .join(" "),
    output: join(entry, binary),
  };
  await needGo(build, lock);
  const files = [binary];
  build.prepare = async (source, env) => {
    const folder = (name) =>
      goModuleFolder(ctx, build, module, source, env, lock).then((dir) => join(dir, name));
    if (tool.embed) copyJson(await folder(tool.embed), source);
    if (tool.crds) files.push(...copyCrds(await folder(tool.crds), entry));
  };
  if (users?.path === undefined) {
    await goBuild(ctx, build, place, lock);
    return { origin: "build", files };
  }
  await goBuild(ctx, { ...build, title: `${tool.name} ${version} from PATH`, copy: users.path }, place, lock);
  return { origin: "path", files };
}

function copyJson(from, to) {
  for (const name of ["schema.json", "terraform-mapping.json"])
    copyFileSync(join(from, name), join(to, name));
}

function copyCrds(from, entry) {
  mkdirSync(join(entry, "crds"), { recursive: true });
  const names = readdirSync(from).filter((name) => name.endsWith(".yaml"));
  for (const name of names) copyFileSync(join(from, name), join(entry, "crds", name));
  return names.map((name) => join("crds", name));
}

/** The paths, for node_modules/.arcflux/tools.json. */
export function clusterPaths(looked) {
  return Object.fromEntries(Object.entries(looked).map(([key, { path }]) => [key, path]));
}

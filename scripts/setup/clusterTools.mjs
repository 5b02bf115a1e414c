import { copyFileSync, mkdirSync, promises, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
      : { isRightVersion: (path) => goModuleVersion(path, module) === version }),
  };
}

/**
 * The tools by key, each `{ tool, path, users }`: from PATH where it is the right one, else from the cache; without a
 * path when it has to be brought. `users` is what PATH has, see `lookOnPath`. `asked` are the options of this run: a tool
 * that only one of them asks for is left out without it, unless it is there.
 */
export async function lookForClusterTools(ctx, asked = []) {
  const { tools } = listOf(ctx);
  const found = await Promise.all(tools.map((tool) => look(ctx, tool)));
  const wanted = found.filter(
    ({ tool: { onlyWith }, path }) =>
      path !== undefined || onlyWith === undefined || asked.includes(onlyWith),
  );
  return Object.fromEntries(wanted.map((one) => [one.tool.key, one]));
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
  const tools = missing.map(({ tool }) => tool);
  const place = join(ctx.cache, "tmp", `${self}.cluster-tools`);
  mkdirSync(place, { recursive: true });
  try {
    await needGoFor(ctx, tools);
    await needRoom(ctx, "the programs for a real Kubernetes API", place, sum(tools, "diskMegabytes"));
    const time = about(sum(tools, "secondsToBuild"));
    ctx.report.line(
      `programs for a real Kubernetes API, ${missing.length} in all, are built from their Go modules, once (${time} on two cores)`,
    );
    for (const { users } of missing) if (users.note !== undefined) ctx.report.line(users.note);
    let begun = 0;
    const brought = await withinMemory(missing, async ({ tool, users }) => {
      const count = `${++begun} of ${missing.length}`;
      const { path, manifest } = await makeTool(ctx.cache, cacheTool(tool), ctx.report, (entry, _, lock) =>
        fill(ctx, { tool, users, count, entry, place, lock }),
      );
      return { tool, path, origin: manifest.origin };
    });
    return { ...looked, ...Object.fromEntries(brought.map((one) => [one.tool.key, one])) };
  } finally {
    await promises.rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const sum = (tools, key) => tools.reduce((total, tool) => total + tool[key], 0);
const about = (seconds) =>
  seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} minutes`;

/** Throws, naming all that are missing, unless there is a Go for each recipe. */
async function needGoFor(ctx, tools) {
  const missing = `no ${tools.map(({ name, version }) => `${name} ${version}`).join(", ")} on PATH`;
  // The CRDs of a controller come with its module, so one on PATH is not enough.
  const otherwise = tools.some(({ crds }) => crds) ? undefined : "put them on PATH";
  for (const recipe of new Set(tools.map((tool) => tool.recipe))) {
    await needGo({ recipe: join(ctx.root, "lab", "tools", recipe), missing, otherwise });
  }
}

/** Fills the folder `entry` of a tool: the program, and the CRDs and data of its module. */
async function fill(ctx, { tool, users, count, entry, place, lock }) {
  const { module } = moduleOf(tool);
  const binary = tool.name + ending;
  const files = [binary];
  const how =
    users.path === undefined ? `built from its Go modules (${about(tool.secondsToBuild)})` : "from PATH";
  const stamps = (tool.stamp ?? "").split(" ").filter(Boolean);
  const build = {
    what: `${tool.name} ${tool.version}`,
    title: `${count}: ${tool.name} ${tool.version}, ${how}`,
    otherwise: tool.crds ? undefined : `put ${tool.name} ${tool.version} on PATH`,
    recipe: join(ctx.root, "lab", "tools", tool.recipe),
    package: tool.package,
    ldflags: stamps.map((one) => `-X ${one}`).join(" "),
    output: join(entry, binary),
    memoryMegabytes: tool.memoryMegabytes,
    copy: users.path,
    async prepare(source, env) {
      if (!tool.embed && !tool.crds && !tool.lacks) return;
      const folder = await goModuleFolder(ctx, build, module, source, env, lock);
      if (tool.embed) copyJson(join(folder, tool.embed), source);
      if (tool.crds) files.push(...copyYaml(join(folder, tool.crds), entry, "crds"));
      for (const [to, from] of Object.entries(tool.data ?? {}))
        files.push(...copyYaml(join(folder, from), entry, join("data", ...to.split("/"))));
      if (tool.lacks) addEmpty(join(folder, tool.lacks));
    },
  };
  await goBuild(ctx, build, place, lock);
  return { origin: users.path === undefined ? "build" : "path", files };
}

function copyJson(from, to) {
  for (const name of ["schema.json", "terraform-mapping.json"])
    copyFileSync(join(from, name), join(to, name));
}

function copyYaml(from, entry, to) {
  mkdirSync(join(entry, to), { recursive: true });
  const names = readdirSync(from).filter((name) => name.endsWith(".yaml"));
  for (const name of names) copyFileSync(join(from, name), join(entry, to, name));
  return names.map((name) => join(to, name));
}

/** A file that the program embeds and its module comes without, as it is made elsewhere. The folder is this build's own. */
function addEmpty(file) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
}

/** The paths, for node_modules/.arcflux/tools.json. */
export function clusterPaths(looked) {
  return Object.fromEntries(Object.entries(looked).map(([key, { path }]) => [key, path]));
}

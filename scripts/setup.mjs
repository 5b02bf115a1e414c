// Brings what the clone needs: Node, the npm packages, the Pulumi engine and what builds sets as Flux does. npm scripts
// run it first.
//
//   node scripts/setup.mjs [--no-engine] [--cluster [--cluster-api] [--flux-operator]] [--quiet]
//
// With --cluster also the programs of a real Kubernetes API with Flux, for the lab. Plain JavaScript
// without dependencies, since an older Node must be able to run it. With everything there it only checks,
// uses no network and takes well under a second, with --cluster about one.
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bringBuilder, lookForBuilder } from "./setup/builder.mjs";
import { bringClusterTools, clusterPaths, lookForClusterTools } from "./setup/clusterTools.mjs";
import { bringEngine, findLanguageHost, lookForEngine } from "./setup/engine.mjs";
import { Interrupted, SetupFault, describeFault } from "./setup/fault.mjs";
import { isLinked, link } from "./setup/links.mjs";
import { withLock } from "./setup/lock.mjs";
import { bringNode, lookForNode } from "./setup/node.mjs";
import { installPackages, isStamped, stampPackages, whyInstall } from "./setup/packages.mjs";
import { cacheFolder } from "./setup/paths.mjs";
import { reporter } from "./setup/report.mjs";
import { stopOnSignals } from "./setup/run.mjs";
import { readTools, sameTools, writeTools } from "./setup/tools.mjs";

const started = Date.now();
const cache = cacheFolder();

async function main(args) {
  const options = ["--no-engine", "--cluster", "--cluster-api", "--flux-operator", "--quiet"];
  const unknown = args.filter((arg) => !options.includes(arg));
  if (unknown.length > 0) {
    throw new SetupFault(`unknown option ${unknown.join(" ")}; allowed are ${options.join(", ")}.`);
  }
  const ctx = context(args);
  const withEngine = !args.includes("--no-engine");
  [ctx.node, ctx.engine, ctx.builder, ctx.cluster] = await Promise.all([
    lookForNode(ctx),
    withEngine ? lookForEngine(ctx) : undefined,
    withEngine ? lookForBuilder(ctx) : undefined,
    args.includes("--cluster") ? lookForClusterTools(ctx, args) : undefined,
  ]);

  if (ctx.node.missing) ctx.node = await bringNode(ctx);
  if (whyInstall(ctx) !== undefined) await inClone(ctx, (lock) => bringPackages(ctx, lock));
  if (ctx.engine?.missing) ctx.engine = await bringEngine(ctx);
  if (ctx.builder?.missing) await bringBuilder(ctx);
  if (Object.values(ctx.cluster ?? {}).some(({ path }) => path === undefined)) {
    ctx.cluster = await bringClusterTools(ctx, ctx.cluster);
  }
  if (!isFinished(ctx)) await inClone(ctx, () => finish(ctx));

  ctx.report.detail(`ready in ${((Date.now() - started) / 1000).toFixed(1)} s (${summary(ctx)})`);
}

function context(args) {
  const root = realpathSync(dirname(dirname(fileURLToPath(import.meta.url))));
  const read = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"));
  return {
    root,
    cache,
    ours: [root, cache], // what stands here was put here by us and is not the user's own tool
    pins: read("scripts", "setup", "pins.json"),
    minimumNode: read("package.json").engines.node.replace(">=", ""),
    platform: `${process.platform}-${process.arch}`,
    report: reporter({ quiet: args.includes("--quiet") }),
  };
}

/** One set-up at a time changes a clone. The lock lies in the cache, since npm ci clears node_modules. */
function inClone(ctx, work) {
  const name = createHash("sha256").update(ctx.root).digest("hex").slice(0, 16);
  const onWait = (pid) => ctx.report.line(`waiting for another set-up of this clone (process ${pid})`);
  return withLock(join(ctx.cache, "locks", `clone-${name}`), onWait, work);
}

async function bringPackages(ctx, lock) {
  const reason = whyInstall(ctx);
  if (reason === undefined) return;
  const before = readTools(ctx.root);
  await ctx.report.step(`npm packages, since ${reason}`, () => installPackages(ctx, lock));
  // What an earlier set-up found is still right, and npm ci has just deleted it.
  if (before) writeTools(ctx.root, before);
  finish(ctx);
}

/** The tools as they are to be written down. What this run did not look at stays as noted. */
function toolsOf(ctx) {
  const noted = readTools(ctx.root);
  const node = { path: ctx.node.path, version: ctx.node.version };
  const looked = ctx.cluster !== undefined && Object.values(ctx.cluster).every(({ path }) => path);
  const cluster = looked ? clusterPaths(ctx.cluster) : noted?.cluster;
  const rest = cluster === undefined ? {} : { cluster };
  if (ctx.engine === undefined || ctx.engine.missing) {
    return { node, pulumi: noted?.pulumi ?? null, languageHost: noted?.languageHost ?? null, ...rest };
  }
  const { path, version, origin } = ctx.engine;
  return {
    node,
    pulumi: { path, version, origin },
    languageHost: findLanguageHost(ctx, ctx.engine),
    ...rest,
  };
}

const linksOf = (ctx, tools) => ({
  node: ctx.node.pinned ? ctx.node.path : undefined,
  pulumi: tools.pulumi === null || tools.pulumi.origin === "path" ? undefined : tools.pulumi.path,
});

function isFinished(ctx) {
  const tools = toolsOf(ctx);
  const links = Object.entries(linksOf(ctx, tools));
  return (
    isStamped(ctx) &&
    sameTools(ctx.root, tools) &&
    links.every(([name, target]) => isLinked(ctx.root, name, target))
  );
}

function finish(ctx) {
  const tools = toolsOf(ctx);
  for (const [name, target] of Object.entries(linksOf(ctx, tools))) link(ctx.root, name, target);
  writeTools(ctx.root, tools);
  stampPackages(ctx);
}

function summary(ctx) {
  const origins = { path: "from PATH", download: "official download", build: "built from source" };
  const engine = ctx.engine && `Pulumi ${ctx.engine.version} ${origins[ctx.engine.origin]}`;
  const cluster = ctx.cluster && "the programs of a real Kubernetes API";
  return [`Node ${ctx.node.version}`, "npm packages", engine, cluster].filter(Boolean).join(", ");
}

stopOnSignals();
try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof Interrupted) {
    console.error("set-up: interrupted; run it again and it goes on from what is done.");
    process.exitCode = error.signal === "SIGINT" ? 130 : 143;
  } else {
    console.error(`set-up: ${describeFault(error, cache)}`);
    process.exitCode = 1;
  }
}

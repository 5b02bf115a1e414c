import { join } from "node:path";
import { engineTool, engineVersion } from "../../build/engineVersion.mjs";
import { checkTool, makeTool } from "./cache.mjs";
import { goBuild, needGo, needRoom } from "./goBuild.mjs";
import { SetupFault } from "./fault.mjs";

const recipeOf = (ctx) => join(ctx.root, "build", "engine");

/** The program of `build/engine` in the cache. It is WebAssembly, so that it does not say its version when it is run. */
function toolOf(ctx) {
  return { ...engineTool, version: engineVersion(recipeOf(ctx)), isRightVersion: () => true };
}

/** Whether what builds sets as Flux does is there: `{ path }` or `{ missing: true }`. */
export async function lookForBuilder(ctx) {
  const { path } = await checkTool(ctx.cache, toolOf(ctx));
  return path === undefined ? { missing: true } : { path };
}

/**
 * Builds it from its Go modules, once. Without Go it is left out with a word: all else works, and what needs it says so.
 */
export async function bringBuilder(ctx) {
  const tool = toolOf(ctx);
  try {
    await makeTool(ctx.cache, tool, ctx.report, (entry, temp, lock) =>
      fill(ctx, tool, { entry, temp, lock }),
    );
  } catch (error) {
    if (!(error instanceof SetupFault)) throw error;
    ctx.report.line(`sets cannot be built here, so checks leave that out: ${error.message}`);
  }
}

async function fill(ctx, tool, { entry, temp, lock }) {
  const build = {
    what: `the builder of sets ${tool.version}`,
    title: `the builder of sets (kustomize ${tool.version}), from its Go modules (about 2 minutes on two cores)`,
    missing: "no builder of sets in the cache",
    recipe: recipeOf(ctx),
    package: ".",
    ldflags: "",
    env: { GOOS: "wasip1", GOARCH: "wasm" },
    flags: ["-buildmode=c-shared"],
    output: join(entry, tool.binary),
    memoryMegabytes: 2000,
  };
  await needGo(build, lock);
  await needRoom(ctx, build.what, temp, 1500);
  await goBuild(ctx, build, temp, lock);
  return { origin: "build", files: [tool.binary] };
}

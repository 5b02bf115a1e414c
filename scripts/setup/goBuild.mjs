import { copyFileSync, mkdirSync, promises, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SetupFault } from "./fault.mjs";
import { indent } from "./node.mjs";
import { findOnPath } from "./paths.mjs";
import { run } from "./run.mjs";
import { atLeast } from "./version.mjs";

/**
 * What is built, and the words for it.
 *
 * @typedef {object} GoBuild
 * @property {string} what "the engine", as the messages call it
 * @property {string} title of the step, with what to expect
 * @property {string} [missing] why it is built at all, such as "no Pulumi engine on PATH and none to download"
 * @property {string} [otherwise] what to do instead of building, where that is possible: a sentence without its end
 * @property {string} recipe folder of go.mod, go.sum and the Go files
 * @property {string} package what to build
 * @property {string} ldflags beyond `-s -w`
 * @property {string} output path of the program
 * @property {number} [memoryMegabytes] what the build needs at most
 * @property {object} [env] such as GOOS and GOARCH, where it is not for this machine
 * @property {string[]} [flags] beyond the usual ones
 * @property {(source: string, env: object) => Promise<void>} [prepare] last touches to the copy of the recipe
 * @property {string} [copy] a program to take instead of building one
 */

/**
 * Builds a program from its Go modules, at the versions and checksums of the recipe's go.mod and go.sum. All that Go
 * fetches and compiles stays below `place`, where builds of one run share it; modules that the user's own Go has
 * fetched before are copied from there.
 *
 * @param {GoBuild} build
 */
export async function goBuild(ctx, build, place, lock) {
  const source = join(place, `recipe-${build.output.replace(/[^A-Za-z0-9.-]+/g, "-").slice(-60)}`);
  copyFolder(build.recipe, source);
  const env = { ...(await goEnvironment(source, place, lock)), ...build.env };
  await ctx.report.step(build.title, async () => {
    await build.prepare?.(source, env);
    if (build.copy !== undefined) return copyFileSync(build.copy, build.output);
    const ldflags = `-s -w ${build.ldflags}`.trim();
    const flags = ["-mod=readonly", "-trimpath", ...(build.flags ?? []), "-ldflags", ldflags];
    const { code, output } = await run("go", ["build", ...flags, "-o", build.output, build.package], {
      cwd: source,
      env,
      lock,
    });
    if (code !== 0) throw buildFault(ctx, build, output, code);
  });
}

/** The folder of a module that the recipe names, fetched if need be. */
export async function goModuleFolder(ctx, build, module, source, env, lock) {
  const fetched = await run("go", ["mod", "download", module], { cwd: source, env, lock });
  const { code, output } = await run("go", ["list", "-m", "-f", "{{.Dir}}", module], {
    cwd: source,
    env,
    lock,
  });
  if (fetched.code !== 0 || code !== 0) throw buildFault(ctx, build, fetched.output + output);
  return output.trim();
}

function buildFault(ctx, build, output, code) {
  return new SetupFault(
    `${build.what} could not be built:\n${indent(output)}\n  ${afterFailure(ctx, build, output, code)}`,
  );
}

function afterFailure(ctx, { otherwise, memoryMegabytes }, output, code) {
  if (/no space left on device|disk quota exceeded/i.test(output)) {
    return `Make room on the disk of ${ctx.cache}, or set ARCFLUX_CACHE_DIR to a folder on another one.`;
  }
  // Without memory the system kills the compiler, or Go itself, which then says nothing at all.
  if (code === null || /signal: killed|out of memory|cannot allocate memory/i.test(output)) {
    const amount = memoryMegabytes === undefined ? "more memory" : `up to ${memoryMegabytes} MB of memory`;
    return `It was killed. The build needs ${amount}: end other programs, and run this again; what is built stays.`;
  }
  const or = otherwise === undefined ? "" : ` Or ${otherwise}.`;
  return `Check the network and Go's GOPROXY setting (go env GOPROXY), and run this again.${or}`;
}

async function goEnvironment(source, place, lock) {
  for (const folder of ["go", "go-build", "go-tmp"]) mkdirSync(join(place, folder), { recursive: true });
  const asked = await run("go", ["env", "GOFLAGS", "GOPROXY", "GOMODCACHE"], { cwd: source, lock });
  const [flags = "", proxy = "", modules = ""] = asked.output.split("\n").map((text) => text.trim());
  return {
    ...process.env,
    GOPATH: join(place, "go"),
    GOMODCACHE: join(place, "go", "mod"),
    GOCACHE: join(place, "go-build"),
    GOTMPDIR: join(place, "go-tmp"),
    GOBIN: "",
    GOWORK: "off",
    // Modules are read-only by default, and then their folder cannot be removed.
    GOFLAGS: `${flags} -modcacherw`.trim(),
    ...(proxy && modules && { GOPROXY: `${proxyOf(modules)},${proxy}` }),
    CGO_ENABLED: "0", // as in the published programs: no C compiler needed
  };
}

/** A module cache has the layout of a proxy. Go checks what it takes from there against go.sum, as all else. */
function proxyOf(moduleCache) {
  // A comma or a bar would begin another proxy.
  const url = pathToFileURL(join(moduleCache, "cache", "download")).href;
  return url.replace(/,/g, "%2C").replace(/\|/g, "%7C");
}

function copyFolder(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (statSync(source).isDirectory()) copyFolder(source, target);
    else copyFileSync(source, target);
  }
}

/** Throws unless Go is there, and is new enough for the recipe or allowed to fetch the newer one by itself. */
export async function needGo({ recipe, missing, otherwise }, lock) {
  const needed = /^go (\S+)$/m.exec(readFileSync(join(recipe, "go.mod"), "utf8"))[1];
  const install = `nstall Go ${needed} or newer (https://go.dev/doc/install). Then run this again.`;
  const next = otherwise === undefined ? `  I${install}` : `  Either ${otherwise},\n  or i${install}`;
  const go = findOnPath("go");
  if (go === undefined) {
    throw new SetupFault(`${missing}, and no Go to build it with.\n${next}`);
  }
  const { code, output } = await run(go, ["env", "GOVERSION", "GOTOOLCHAIN"], {
    cwd: recipe,
    env: { ...process.env, GOTOOLCHAIN: "local" },
    lock,
  });
  const [version = ""] = output.split("\n");
  if (code === 0 && atLeast(version, needed)) return;
  const toolchain = (await run(go, ["env", "GOTOOLCHAIN"], { lock })).output.trim();
  if (code === 0 && atLeast(version, "1.21") && /auto|^go1/.test(toolchain)) return;
  const says =
    code === 0
      ? `is ${version}, and GOTOOLCHAIN=${toolchain} keeps it from fetching a newer one`
      : `does not run:\n${indent(output)}`;
  throw new SetupFault(`${missing}; building it needs Go ${needed}, but ${go} ${says}.\n${next}`);
}

/** Throws unless the disk below `place` has room for a build. */
export async function needRoom(ctx, what, place, needed) {
  if (promises.statfs === undefined) return; // before Node 18.15
  const { bavail, bsize } = await promises.statfs(place);
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free >= needed) return;
  throw new SetupFault(
    `building ${what} needs ${needed} MB while it runs, and the disk of ${ctx.cache} has ${free} MB left.\n` +
      "  Make room, or set ARCFLUX_CACHE_DIR to a folder on another disk.",
  );
}

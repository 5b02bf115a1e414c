import { copyFileSync, mkdirSync, promises, readFileSync } from "node:fs";
import { join } from "node:path";
import { SetupFault } from "./fault.mjs";
import { indent } from "./node.mjs";
import { findOnPath } from "./paths.mjs";
import { run } from "./run.mjs";
import { atLeast } from "./version.mjs";

const enginePackage = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * Fills `entry` with an engine built from its Go modules, at the versions and checksums of
 * scripts/engine/go.mod and go.sum. All that Go fetches and compiles stays below `temp`.
 */
export async function buildEngine(ctx, entry, temp, lock) {
  const { version } = ctx.pins.engine;
  const recipe = join(ctx.root, "scripts", "engine");
  await needGo(ctx, recipe, lock);
  await needRoom(ctx, temp);

  const source = join(temp, "engine");
  for (const folder of ["engine", "go", "go-build", "go-tmp"]) mkdirSync(join(temp, folder));
  for (const file of ["go.mod", "go.sum", "tools.go"]) copyFileSync(join(recipe, file), join(source, file));
  const userFlags = (await run("go", ["env", "GOFLAGS"], { cwd: source, lock })).output.trim();
  const env = {
    ...process.env,
    GOPATH: join(temp, "go"),
    GOMODCACHE: join(temp, "go", "mod"),
    GOCACHE: join(temp, "go-build"),
    GOTMPDIR: join(temp, "go-tmp"),
    GOBIN: "",
    GOWORK: "off",
    // Modules are read-only by default, and then their folder cannot be removed.
    GOFLAGS: `${userFlags} -modcacherw`.trim(),
    CGO_ENABLED: "0", // as in Pulumi's own releases: no C compiler needed
  };
  const binary = process.platform === "win32" ? "pulumi.exe" : "pulumi";
  const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", `-s -w -X ${versionVariable}=v${version}`];
  await ctx.report.step(
    `Pulumi engine ${version}, built from its Go modules (about 4 minutes on two cores)`,
    async () => {
      const { code, output } = await run("go", [...args, "-o", join(entry, binary), enginePackage], {
        cwd: source,
        env,
        lock,
      });
      if (code === 0) return;
      const next = /no space left on device|disk quota exceeded/i.test(output)
        ? `Make room on the disk of ${ctx.cache}, or set ARCFLUX_CACHE_DIR to a folder on another one.`
        : "Check the network and Go's GOPROXY setting (go env GOPROXY), and run this again. Or install the engine yourself: https://www.pulumi.com/docs/install/";
      throw new SetupFault(`the engine could not be built:\n${indent(output)}\n  ${next}`);
    },
  );
  return { origin: "build", files: [binary] };
}

/** Go must be there, and be new enough or allowed to fetch the newer one by itself. */
async function needGo(ctx, recipe, lock) {
  const needed = /^go (\S+)$/m.exec(readFileSync(join(recipe, "go.mod"), "utf8"))[1];
  const next =
    `  Either install the engine (https://www.pulumi.com/docs/install/, ${ctx.pins.engine.minimum} or a later 3.x),\n` +
    `  or install Go ${needed} or newer (https://go.dev/doc/install). Then run this again.`;
  const go = findOnPath("go");
  if (go === undefined) {
    throw new SetupFault(`no Pulumi engine on PATH, none to download, and no Go to build it with.\n${next}`);
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
  throw new SetupFault(
    `no Pulumi engine on PATH and none to download; building it needs Go ${needed}, but ${go} ${says}.\n${next}`,
  );
}

async function needRoom(ctx, temp) {
  if (promises.statfs === undefined) return; // before Node 18.15
  const { bavail, bsize } = await promises.statfs(temp);
  const free = Math.floor((bavail * bsize) / 1e6);
  const needed = ctx.pins.engine.freeMegabytesToBuild;
  if (free >= needed) return;
  throw new SetupFault(
    `building the engine needs ${needed} MB while it runs, and the disk of ${ctx.cache} has ${free} MB left.\n` +
      "  Make room, or set ARCFLUX_CACHE_DIR to a folder on another disk.",
  );
}

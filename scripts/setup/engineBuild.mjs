import { join } from "node:path";
import { goBuild, needGo, needRoom } from "./goBuild.mjs";

const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * Fills `entry` with an engine built from its Go modules, at the versions and checksums of
 * scripts/engine/go.mod and go.sum. All that Go fetches and compiles stays below `temp`.
 */
export async function buildEngine(ctx, entry, temp, lock) {
  const { version, minimum, freeMegabytesToBuild } = ctx.pins.engine;
  const binary = process.platform === "win32" ? "pulumi.exe" : "pulumi";
  const build = {
    what: "the engine",
    title: `Pulumi engine ${version}, built from its Go modules (about 4 minutes on two cores)`,
    missing: "no Pulumi engine on PATH and none to download",
    otherwise: `install the engine (https://www.pulumi.com/docs/install/, ${minimum} or a later 3.x)`,
    recipe: join(ctx.root, "scripts", "engine"),
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    ldflags: `-X ${versionVariable}=v${version}`,
    output: join(entry, binary),
  };
  await needGo(build, lock);
  await needRoom(ctx, build.what, temp, freeMegabytesToBuild);
  await goBuild(ctx, build, temp, lock);
  return { origin: "build", files: [binary] };
}

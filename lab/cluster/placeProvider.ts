import { rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { makeFolder } from "../makeFolder.ts";

/**
 * Puts the real kubernetes provider into the plugin folder of a PULUMI_HOME, under the version that the program asks
 * for. On PATH it would cost a warning in every command.
 */
export function placeProvider(pulumiHome: string, program: string): void {
  const require = createRequire(import.meta.url);
  const { version } = require("@pulumi/kubernetes/package.json") as { version: string };
  const folder = path.join(pulumiHome, "plugins", `resource-kubernetes-v${version}`);
  makeFolder(folder);
  const ending = process.platform === "win32" ? ".exe" : "";
  const link = path.join(folder, `pulumi-resource-kubernetes${ending}`);
  rmSync(link, { force: true });
  symlinkSync(program, link);
}

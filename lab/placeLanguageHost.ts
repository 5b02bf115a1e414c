import { chmodSync, rmSync } from "node:fs";
import path from "node:path";
import { writeFileAtomic } from "./atomicFile.ts";

/**
 * Puts the lab's language host into the plugin folder of its PULUMI_HOME, where the engine looks when there is none
 * on PATH or beside it. On PATH it would cost a warning in every command. With a stock one, takes it away again.
 */
export function placeLanguageHost(pulumiHome: string, root: string, stock: boolean): void {
  const plugin = path.join(pulumiHome, "plugins", "language-nodejs-v0.0.0");
  if (stock) {
    rmSync(plugin, { recursive: true, force: true });
    return;
  }
  const host = path.join(root, "lab", "language-host", "pulumi-language-nodejs");
  const script = path.join(plugin, "pulumi-language-nodejs");
  if (process.platform === "win32") {
    writeFileAtomic(`${script}.cmd`, `@echo off\r\n"${host}.cmd" %*\r\n`);
    return;
  }
  writeFileAtomic(script, `#!/bin/sh\nexec '${host.replaceAll("'", `'\\''`)}' "$@"\n`, 0o755);
  chmodSync(script, 0o755);
}

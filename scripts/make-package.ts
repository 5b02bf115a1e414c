import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { findEngine } from "../build/engineFile.ts";
import manifest from "../package.json" with { type: "json" };
import { cacheFolder } from "../values/cacheFolder.ts";

/*
 * Makes dist/, which is what `npm pack` takes: JavaScript with declarations and source maps, since Node strips no types
 * below node_modules. Types are checked by `npm run check`, not here.
 */
const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
compile();
for (const path of ["build/engineVersion.mjs", "build/engineVersion.d.mts", "policy/PulumiPolicy.yaml"])
  copyFileSync(join(root, path), join(dist, path));
// The browser reads it as it is.
cpSync(join(root, "page/client"), join(dist, "page/client"), {
  recursive: true,
  filter: (path) => !path.endsWith("tsconfig.json"),
});
for (const path of ["provider/pulumi-resource-arcflux-git", "provider/pulumi-resource-arcflux-git.cmd"])
  startsJavaScript(path);
cpSync(join(root, "templates"), join(dist, "templates"), { recursive: true });
// npm leaves a file of that name out.
renameSync(join(dist, "templates/project/.gitignore"), join(dist, "templates/project/gitignore"));
bringEngine();
const { version, type, engines, dependencies } = manifest;
// Read for what is said here; all else of it is in the package's own.
write("package.json", { private: true, type, version, engines, dependencies });
write("policy/package.json", {
  name: "arcflux-policy",
  private: true,
  version,
  type,
  main: "index.js",
  engines,
});

function compile(): void {
  const tsc = createRequire(import.meta.url).resolve("typescript/lib/tsc.js");
  const args = [tsc, "--project", join(root, "tsconfig.package.json"), "--noCheck"];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) throw new Error("The sources did not compile; run npm run check:types.");
}

/** The start file of the plugin, for the compiled one beside it. */
function startsJavaScript(path: string): void {
  const text = readFileSync(join(root, path), "utf8");
  writeFileSync(join(dist, path), text.replace("main.ts", "main.js"), { mode: 0o755 });
}

/** What builds sets travels with the package: nobody who installs it needs Go. */
function bringEngine(): void {
  const engine = findEngine(cacheFolder(process.env));
  if (engine === undefined) throw new Error("There is no engine to put into the package; run npm run setup.");
  const folder = join(dist, "build", "engine");
  mkdirSync(folder);
  copyFileSync(engine.path, join(folder, "engine.wasm"));
  copyFileSync(join(engine.path, "..", "manifest.json"), join(folder, "manifest.json"));
}

function write(path: string, content: object): void {
  writeFileSync(join(dist, path), `${JSON.stringify(content, null, 2)}\n`);
}

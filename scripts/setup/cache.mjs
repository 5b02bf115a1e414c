import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  promises,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive, self } from "./owner.mjs";
import { sweepLocks, withLock } from "./lock.mjs";
import { run } from "./run.mjs";

/**
 * One tool in the cache: `CACHE/<name>-<version>-<platform>/` with a `manifest.json` that names the
 * sha256 of each file. `binary` is the program's path in that folder; `versionArgs` is what makes it say
 * its version. One that says none, or that would set to work when it is run, has `isRightVersion`, which
 * reads the program's file, and is not run.
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} version
 * @property {string} binary
 * @property {string[]} [versionArgs]
 * @property {(path: string) => boolean} [isRightVersion]
 */

const platform = `${process.platform}-${process.arch}`;

const entryOf = (cache, tool) => join(cache, `${tool.name}-${tool.version}-${platform}`);

/**
 * Looks at a cached tool and trusts nothing: each file's checksum, and then the version the program
 * says. Returns `{ path, manifest }`, or `{ reason }` when there is none to be used.
 */
export async function checkTool(cache, tool) {
  const entry = entryOf(cache, tool);
  if (!existsSync(entry)) return { reason: undefined };
  return checkEntry(entry, tool, cache);
}

async function checkEntry(entry, tool, cache) {
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(join(entry, "manifest.json"), "utf8"));
  } catch {
    return { reason: "its manifest cannot be read" };
  }
  if (manifest.tool !== tool.name || manifest.version !== tool.version || manifest.platform !== platform) {
    return { reason: "its manifest is for another tool" };
  }
  if (manifest.files?.[tool.binary] === undefined)
    return { reason: `its manifest does not list ${tool.binary}` };
  for (const [file, sha256] of Object.entries(manifest.files)) {
    const sum = await sha256Of(join(entry, file)).catch(() => "no file");
    if (sum !== sha256) return { reason: `${file} has sha256 ${sum}, the manifest says ${sha256}` };
  }
  const path = join(entry, tool.binary);
  if (tool.isRightVersion !== undefined) {
    return tool.isRightVersion(path) ? { path, manifest } : { reason: `it is not version ${tool.version}` };
  }
  const version = await versionOf(path, tool.versionArgs, cache);
  if (version !== tool.version) return { reason: `it says version ${version ?? "nothing"}` };
  return { path, manifest };
}

/** What a program says its version is, without the v; undefined when it does not run. */
export async function versionOf(path, args, cache) {
  // The engine must neither look for updates nor write its log to the user's home when asked.
  const home = join(cache, "tmp", `${self}.home-${basename(path)}`);
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_HOME: home };
  try {
    const { code, output } = await run(path, args, { env, limitSeconds: 60 });
    return code === 0 ? /^(?:\w[\w ]*: |Kubernetes )?v?(\d+\.\d+\.\d+\S*)/m.exec(output)?.[1] : undefined;
  } finally {
    await removeTree(home);
  }
}

/**
 * The tool from the cache; made with `make(entry, temp, lock)` when it is absent or does not pass the
 * check. `make` fills the folder `entry` and returns `{ origin, files }`, the programs in it; it may
 * use the folder `temp`. Two set-ups never make the same tool at once, and a half-made one is never
 * seen: it is renamed into place when it has passed the check.
 */
export async function makeTool(cache, tool, report, make) {
  const locks = join(cache, "locks");
  const lockPath = join(locks, `${tool.name}-${tool.version}-${platform}`);
  const onWait = (pid) => report.line(`waiting for another set-up (process ${pid}) that brings ${tool.name}`);
  const temp = join(cache, "tmp", `${self}.${tool.name}`);
  try {
    return await withLock(lockPath, onWait, async (lock) => {
      const before = await checkTool(cache, tool);
      if (before.path !== undefined) return before; // somebody else made it while we waited
      sweepLocks(locks);
      await sweepTemp(cache);
      const entry = entryOf(cache, tool);
      if (existsSync(entry)) {
        report.line(`${tool.name} ${tool.version} in the cache is thrown away: ${before.reason}`);
      }
      const fresh = join(temp, "entry");
      mkdirSync(dirname(join(fresh, tool.binary)), { recursive: true });
      const { origin, files } = await make(fresh, temp, lock);
      const sums = {};
      for (const file of files) sums[file] = await sha256Of(join(fresh, file));
      const manifest = { tool: tool.name, version: tool.version, platform, origin, files: sums };
      writeFileSync(join(fresh, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
      const made = await checkEntry(fresh, tool, cache);
      if (made.path === undefined) throw new Error(`the ${tool.name} just made is not right: ${made.reason}`);
      if (existsSync(entry)) renameSync(entry, join(temp, "old"));
      renameSync(fresh, entry);
      return { path: join(entry, tool.binary), manifest };
    });
  } finally {
    await removeTree(temp);
  }
}

/** The sha256 of a file, in hex. */
export async function sha256Of(path) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest("hex");
}

/** Removes a folder, also while a program that was just killed still ends. */
async function removeTree(path) {
  await promises.rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Removes the temp folders whose set-up was killed. */
async function sweepTemp(cache) {
  const folder = join(cache, "tmp");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const silentSeconds = (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)) / 1000;
    // The folder's own time stands still during a long build, so another host gets a day.
    if (!isAlive(name.slice(0, name.indexOf(".")), silentSeconds / 720)) await removeTree(path);
  }
}

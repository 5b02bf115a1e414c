import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkTool, makeTool, versionOf } from "./cache.mjs";
import { buildEngine } from "./engineBuild.mjs";
import { downloadEngine } from "./engineDownload.mjs";
import { findOnPath, realPath } from "./paths.mjs";
import { atLeast } from "./version.mjs";

const windows = process.platform === "win32";

/**
 * The Pulumi engine to use: the one on PATH from the stated minimum on, else the one of the cache.
 * Returns `{ path, version, origin }`, or `{ missing: true, note }` when one must be brought first.
 */
export async function lookForEngine(ctx) {
  const { minimum, version } = ctx.pins.engine;
  const users = findOnPath("pulumi", { ours: ctx.ours });
  let note;
  if (users !== undefined) {
    const says = await versionOf(users, ["version"], ctx.cache);
    if (says !== undefined && atLeast(says, minimum) && !atLeast(says, "4.0.0")) {
      return { path: users, version: says, origin: "path" };
    }
    const fault =
      says === undefined ? "does not run" : `is version ${says}, tested are ${minimum} and later 3.x`;
    note = `the engine on PATH, ${users}, ${fault}; this clone gets version ${version}, yours stays as it is`;
  }
  const found = await checkTool(ctx.cache, toolOf(ctx));
  return found.path === undefined
    ? { missing: true, note }
    : { path: found.path, version, origin: found.manifest.origin };
}

/** Brings the engine into the cache: the official download, or where that is not to be had a build. */
export async function bringEngine(ctx) {
  if (ctx.engine.note !== undefined) ctx.report.line(ctx.engine.note);
  const { version } = ctx.pins.engine;
  const { path, manifest } = await makeTool(
    ctx.cache,
    toolOf(ctx),
    ctx.report,
    async (entry, temp, lock) =>
      (await downloadEngine(ctx, entry, temp, lock)) ?? (await buildEngine(ctx, entry, temp, lock)),
  );
  return { path, version, origin: manifest.origin };
}

/** The stock language host that belongs to an engine: next to it or on PATH. Null when there is none. */
export function findLanguageHost(ctx, engine) {
  const name = "pulumi-language-nodejs";
  for (const folder of [dirname(engine.path), dirname(realPath(engine.path))]) {
    const path = join(folder, windows ? `${name}.exe` : name);
    if (existsSync(path)) return path;
  }
  return findOnPath(name, { ours: ctx.ours }) ?? null;
}

function toolOf(ctx) {
  const binary = windows ? "pulumi.exe" : "pulumi";
  return { name: "pulumi", version: ctx.pins.engine.version, binary, versionArgs: ["version"] };
}

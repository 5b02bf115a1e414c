import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkTool, makeTool, versionOf } from "./cache.mjs";
import { SetupFault } from "./fault.mjs";
import { findOnPath, isBelow, realPath, searchPath } from "./paths.mjs";
import { run } from "./run.mjs";
import { atLeast } from "./version.mjs";

/**
 * The Node to use: the user's when it is new enough, else the pinned one of the cache. Returns
 * `{ path, version, pinned }`, or `{ missing: reason }` when the pinned one must be brought first.
 */
export async function lookForNode(ctx) {
  const users = await usersNode(ctx);
  if (users.path !== undefined && atLeast(users.version, ctx.minimumNode)) return { ...users, pinned: false };
  const pin = ctx.pins.node.packages[ctx.platform];
  const why = `Node ${users.version ?? process.versions.node} is older than ${ctx.minimumNode}`;
  if (pin === undefined) {
    throw new SetupFault(
      `${why}, and no Node package is pinned for ${ctx.platform}.\n  Install Node ${ctx.minimumNode} or newer and run this again.`,
    );
  }
  const found = await checkTool(ctx.cache, toolOf(pin));
  return found.path === undefined
    ? { missing: why }
    : { path: found.path, version: pin.version, pinned: true };
}

/**
 * The Node the user has, which need not be the running one: an npm script runs with what we linked
 * into node_modules/.bin.
 */
async function usersNode(ctx) {
  const running = realPath(process.execPath);
  const linked = realPath(join(ctx.root, "node_modules", ".bin", "node"));
  if (!isBelow(running, ctx.ours) && running !== linked)
    return { path: process.execPath, version: process.versions.node };
  const path = findOnPath("node", { ours: ctx.ours });
  return { path, version: path && (await versionOf(path, ["--version"], ctx.cache)) };
}

/** Brings the pinned Node into the cache, from npm's platform package, and checks its integrity. */
export async function bringNode(ctx) {
  const pin = ctx.pins.node.packages[ctx.platform];
  const tool = toolOf(pin);
  const title = `Node ${pin.version} from npm, since ${ctx.node.missing}`;
  const { path } = await makeTool(ctx.cache, tool, ctx.report, (entry, temp, lock) =>
    ctx.report.step(title, async () => {
      const npm = await run(
        "npm",
        ["pack", `${pin.name}@${pin.version}`, "--pack-destination", temp, "--ignore-scripts"],
        {
          cwd: temp,
          // With the user's own Node: the one linked by us may be what is broken.
          env: { ...process.env, PATH: searchPath([], { ours: ctx.ours }) },
          lock,
        },
      );
      const archive = readdirSync(temp).find((name) => name.endsWith(".tgz"));
      if (npm.code !== 0 || archive === undefined) {
        throw new SetupFault(
          `npm could not fetch ${pin.name}@${pin.version}:\n${indent(npm.output)}\n` +
            `  Check the network and npm's registry setting, or install Node ${ctx.minimumNode} or newer yourself, and run this again.`,
        );
      }
      const sum = `sha512-${createHash("sha512")
        .update(readFileSync(join(temp, archive)))
        .digest("base64")}`;
      if (sum !== pin.integrity) {
        throw new SetupFault(
          `${pin.name}@${pin.version} has integrity ${sum}, pinned is ${pin.integrity}. It was not unpacked.\n` +
            "  The registry serves something else than what was pinned: check npm's registry setting.",
        );
      }
      await unpack(join(temp, archive), entry, ["--strip-components=1", `package/${tool.binary}`], lock);
      if (!existsSync(join(entry, tool.binary)))
        throw new SetupFault(`${pin.name}@${pin.version} has no ${tool.binary}.`);
      return { origin: "npm", files: [tool.binary] };
    }),
  );
  return { path, version: pin.version, pinned: true };
}

/** Unpacks an archive with tar. */
export async function unpack(archive, into, args, lock) {
  const { code, output } = await run("tar", ["-xf", archive, "-C", into, ...args], { lock });
  if (code !== 0)
    throw new SetupFault(
      `tar could not unpack ${archive}:\n${indent(output)}\n  Install tar, or make room on the disk.`,
    );
}

/** The last lines of a program's output, to stand below a message. */
export function indent(output) {
  const lines = output.trim().split("\n").slice(-15);
  return lines.map((text) => `    ${text}`).join("\n");
}

function toolOf(pin) {
  const binary = process.platform === "win32" ? "bin/node.exe" : "bin/node";
  return { name: "node", version: pin.version, binary, versionArgs: ["--version"] };
}

import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SetupFault } from "./fault.mjs";
import { indent } from "./node.mjs";
import { searchPath } from "./paths.mjs";
import { run } from "./run.mjs";

const stampPath = (root) => join(root, "node_modules", ".arcflux", "packages.json");

/**
 * Why `npm ci` must run, or undefined when node_modules is what package-lock.json says: the stamp of
 * the last set-up is for this lock file, this Node and this platform, and no package is missing.
 */
export function whyInstall(ctx) {
  const installed = installedPackages(ctx.root);
  if (installed === undefined) return "node_modules is not there";
  const stamp = readText(stampPath(ctx.root));
  if (stamp !== undefined && stamp !== stampText(ctx))
    return "package-lock.json, Node or the platform changed";
  if (stamp === undefined && !isUntouchedInstall(ctx.root, installed))
    return "node_modules is not as npm left it";
  for (const [place, entry] of Object.entries(installed)) {
    if (entry.link) continue;
    if (!existsSync(join(ctx.root, place, "package.json"))) return `${place} is missing`;
    if (place.lastIndexOf("node_modules/") > 0) continue;
    for (const command of Object.keys(entry.bin ?? {})) {
      const link = join(ctx.root, "node_modules", ".bin", command);
      if (!existsSync(link) && !existsSync(`${link}.cmd`)) return `node_modules/.bin/${command} is missing`;
    }
  }
  return undefined;
}

/** Installs what package-lock.json says, without any package's scripts. */
export async function installPackages(ctx, lock) {
  refuseLink(ctx.root);
  // npm ci takes node_modules away piece by piece. If it is killed meanwhile nothing may look whole.
  rmSync(stampPath(ctx.root), { force: true });
  rmSync(hiddenLockPath(ctx.root), { force: true });
  const { code, output } = await run(
    "npm",
    [
      "ci",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--include=dev",
      "--include=optional",
      "--loglevel=error",
    ],
    {
      cwd: ctx.root,
      env: { ...process.env, PATH: searchPath([dirname(ctx.node.path)], { ours: ctx.ours }) },
      lock,
    },
  );
  if (code !== 0) {
    const next =
      code === undefined
        ? "npm comes with Node: install Node.js from https://nodejs.org with its npm, and run this again."
        : "Check the network and npm's registry setting, and run this again.";
    throw new SetupFault(`npm ci failed:\n${indent(output)}\n  ${next}`);
  }
}

/** Throws when node_modules is a link: npm ci would follow it and empty the folder that another clone uses. */
function refuseLink(root) {
  const path = join(root, "node_modules");
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  const target = existsSync(path) ? realpathSync(path) : "a folder that is gone";
  throw new SetupFault(
    `the npm packages must be installed, but node_modules is a link to ${target}, and npm would empty that.\n` +
      `  Run set-up in the clone that it belongs to, or remove the link ${path}. Then run this again.`,
  );
}

/** Whether the stamp is there: node_modules may be whole without it, when npm was run by hand. */
export function isStamped(ctx) {
  return readText(stampPath(ctx.root)) === stampText(ctx);
}

/** Notes that node_modules is whole for this lock file, Node and platform. */
export function stampPackages(ctx) {
  if (isStamped(ctx)) return;
  mkdirSync(dirname(stampPath(ctx.root)), { recursive: true });
  writeFileSync(stampPath(ctx.root), stampText(ctx));
}

function stampText(ctx) {
  const packageLock = createHash("sha256")
    .update(readFileSync(join(ctx.root, "package-lock.json")))
    .digest("hex");
  // No package has a part compiled for one Node, so only another major version asks for a new install.
  const node = ctx.node.version.split(".")[0];
  return `${JSON.stringify({ packageLock, node, platform: ctx.platform }, null, 2)}\n`;
}

const hiddenLockPath = (root) => join(root, "node_modules", ".package-lock.json");

/** What npm says it installed, by place: npm writes this file last. */
function installedPackages(root) {
  try {
    return JSON.parse(readFileSync(hiddenLockPath(root), "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * Whether a node_modules without our stamp is a finished install of this lock file, so that one made
 * by hand is kept: the same packages at the same integrity, none touched since npm wrote its list.
 */
function isUntouchedInstall(root, installed) {
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const listed = statSync(hiddenLockPath(root)).mtimeMs;
  for (const [place, entry] of Object.entries(wanted)) {
    if (place === "" || entry.link) continue;
    const have = installed[place];
    if (have === undefined) {
      if (entry.optional || entry.peer) continue;
      return false;
    }
    if (have.version !== entry.version || have.integrity !== entry.integrity) return false;
  }
  return Object.keys(installed).every((place) => {
    const folder = statSync(join(root, place), { throwIfNoEntry: false });
    return wanted[place] !== undefined && folder !== undefined && folder.mtimeMs <= listed + 1000;
  });
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

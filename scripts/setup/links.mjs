import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { self } from "./owner.mjs";

const windows = process.platform === "win32";

/**
 * Whether `node_modules/.bin/<name>` starts `target`, or is absent when `target` is undefined. On
 * Windows it is a .cmd file, since links need a privilege there.
 */
export function isLinked(root, name, target) {
  const place = placeOf(root, name);
  if (target === undefined) return lstatSync(place, { throwIfNoEntry: false }) === undefined;
  try {
    return windows ? readFileSync(place, "utf8") === shim(target) : readlinkSync(place) === target;
  } catch {
    return false;
  }
}

/** Makes it so, in one rename: other scripts of the clone may be running. */
export function link(root, name, target) {
  if (isLinked(root, name, target)) return;
  const place = placeOf(root, name);
  if (target === undefined) {
    rmSync(place, { force: true });
    return;
  }
  mkdirSync(dirname(place), { recursive: true });
  const fresh = `${place}.${self}`;
  rmSync(fresh, { force: true });
  if (windows) writeFileSync(fresh, shim(target));
  else symlinkSync(target, fresh);
  renameSync(fresh, place);
}

const placeOf = (root, name) => join(root, "node_modules", ".bin", windows ? `${name}.cmd` : name);

const shim = (target) => `@"${target}" %*\r\n`;

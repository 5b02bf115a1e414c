import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { self } from "./owner.mjs";

const toolsPath = (root) => join(root, "node_modules", ".arcflux", "tools.json");

/**
 * What set-up found, for the programs of the clone: `node_modules/.arcflux/tools.json` with
 * `{ node: { path, version }, pulumi: { path, version, origin } | null, languageHost: path | null, cluster?: { key: path } }`,
 * the last once set-up was asked for the programs of a real Kubernetes API.
 */
export function readTools(root) {
  try {
    return JSON.parse(readFileSync(toolsPath(root), "utf8"));
  } catch {
    return undefined;
  }
}

/** Writes it in one rename, when it says something else. */
export function writeTools(root, tools) {
  if (sameTools(root, tools)) return;
  mkdirSync(dirname(toolsPath(root)), { recursive: true });
  const fresh = `${toolsPath(root)}.${self}`;
  writeFileSync(fresh, `${JSON.stringify(tools, null, 2)}\n`);
  renameSync(fresh, toolsPath(root));
}

/** Whether the file says this already. */
export function sameTools(root, tools) {
  return JSON.stringify(readTools(root)) === JSON.stringify(tools);
}

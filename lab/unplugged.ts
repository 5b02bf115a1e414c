import path from "node:path";

import { readJson } from "./atomicFile.ts";

/** Whether a cluster, by its name in Azure or by its context, is off for good: `DIR/unplugged.json` lists those. */
export function isUnplugged(dir: string, name: string): boolean {
  const names = readJson(path.join(dir, "unplugged.json"));
  return Array.isArray(names) && names.includes(name);
}

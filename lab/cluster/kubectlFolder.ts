import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "../makeFolder.ts";

/** The folder of a lab that holds kubectl and nothing else, for PATH. */
export function kubectlFolder(dir: string): string {
  return path.join(dir, "bin");
}

/** Puts a link to kubectl there. */
export function placeKubectl(dir: string, kubectl: string): void {
  const folder = kubectlFolder(dir);
  makeFolder(folder);
  const link = path.join(folder, process.platform === "win32" ? "kubectl.exe" : "kubectl");
  rmSync(link, { force: true });
  symlinkSync(kubectl, link);
}

import { readFileSync } from "node:fs";

/**
 * The version of a module that a Go program was built from, without the v, as Go notes it in the program itself
 * (`go version -m` shows it). Undefined when the file cannot be read, is no Go program or has no such module, and for a
 * program built from a checkout, where Go notes no version.
 */
export function goModuleVersion(path, module) {
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  for (const kind of ["mod", "dep"]) {
    const start = bytes.indexOf(`\n${kind}\t${module}\tv`);
    if (start < 0) continue;
    const [, version] = /\tv([^\t\n]+)/.exec(bytes.toString("latin1", start, start + 400)) ?? [];
    if (version !== undefined) return version;
  }
  return undefined;
}

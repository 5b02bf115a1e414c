import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder and those above it, where they are not there. Throws an error that says what is in the way. Step by
 * step, since Node's own `recursive` never returns in a file system that answers as /proc does.
 */
export function makeFolder(dir: string): void {
  const missing: string[] = [];
  let at = path.resolve(dir);
  for (let kind = kindOf(at, dir); kind !== "folder"; kind = kindOf(at, dir)) {
    if (kind === "file") throw new Error(`${cannot(dir)}: ${at} is a file. ${another}`);
    missing.push(at);
    at = path.dirname(at);
  }
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder);
    } catch (error) {
      const code = codeOf(error);
      // Another process of the lab may have made it meanwhile.
      if (code === "EEXIST" && kindOf(folder, dir) === "folder") continue;
      throw new Error(
        `${cannot(dir)}: nothing can be made in ${path.dirname(folder)} (${code}). ${another}`,
        {
          cause: error,
        },
      );
    }
  }
}

/** What to do about a folder that will not do. */
export const another = "Choose another folder with --dir DIR.";

const cannot = (dir: string): string => `The folder ${dir} cannot be made`;

function kindOf(place: string, dir: string): "folder" | "file" | undefined {
  try {
    const found = statSync(place, { throwIfNoEntry: false });
    return found && (found.isDirectory() ? "folder" : "file");
  } catch (error) {
    // Something above it is a file.
    if (codeOf(error) === "ENOTDIR") return undefined;
    throw new Error(`${cannot(dir)}: ${place} cannot be looked at (${codeOf(error)}). ${another}`, {
      cause: error,
    });
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}

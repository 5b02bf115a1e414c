import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../disk/makeFolder.ts";
import { WriteError } from "./writeFiles.ts";

/** Writes a file that is not there, with the folders above it. One that is there is never written over. */
export async function writeNew(path: string, text: string, { isExecutable = false } = {}): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await writeFile(path, text, { flag: "wx", mode: isExecutable ? 0o755 : 0o644 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason =
      code === "EEXIST" ? "is there already, and is left as it is" : `cannot be written (${code})`;
    throw new WriteError(`${path} ${reason}.`);
  }
}

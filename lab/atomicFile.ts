import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "./makeFolder.ts";

let counter = 0;

/**
 * Writes a whole file or nothing: readers see the old text or the new one, never half of it. Makes the folder.
 * `mode` is that of the new file, 0644 unless given.
 */
export function writeFileAtomic(file: string, text: string, mode = 0o644): void {
  makeFolder(path.dirname(file));
  const temporary = `${file}.${process.pid}.${counter++}.tmp`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, file);
}

/** The parsed JSON of a file, or undefined when there is no such file. Throws on a file that is no JSON. */
export function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}. Repair it, or remove the file.`);
  }
}

export function writeJsonAtomic(file: string, value: unknown, mode?: number): void {
  writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`, mode);
}

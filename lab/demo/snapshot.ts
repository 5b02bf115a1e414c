import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Everything below a folder as one text: equal before and after means that nothing in it was touched. */
export async function snapshotFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.sort().map(async (file) => [file, await readFile(file, "utf8")]));
  return JSON.stringify(contents);
}

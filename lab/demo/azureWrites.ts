import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { asObject } from "../azure/json.ts";

/**
 * When each resource of the lab's Azure was last written, as one text: equal before and after means that no request
 * changed anything. What agents report of a cluster in between is no write.
 */
export async function azureWrites(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".json"));
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const writes = await Promise.all(
    paths.map(async (path) => {
      const { systemData } = asObject(JSON.parse(await readFile(path, "utf8")));
      return [path, asObject(systemData)["lastModifiedAt"]];
    }),
  );
  return JSON.stringify(writes);
}

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { fleetJsonSchema } from "../fleet/schema.ts";
import { statusJsonSchema } from "../status/document.ts";
import { fleetReference } from "./fleetReference.ts";

/*
 * Writes what the code is the source of: fleet.schema.json, which editors read, its keys as a page of the docs, and
 * status.schema.json, of what `arcflux status --json` prints. With --check nothing is written, and the exit code is 1 when one is not up to
 * date.
 */
const schemas = {
  "fleet.schema.json": { text: fleetJsonSchema, source: "fleet/schema.ts" },
  "status.schema.json": { text: statusJsonSchema, source: "status/document.ts" },
  "docs/reference/fleet-schema.md": { text: fleetReference, source: "fleet/schema.ts" },
};

for (const [name, { text, source }] of Object.entries(schemas)) {
  const path = join(import.meta.dirname, "..", name);
  const wanted = await format(text(), { ...(await resolveConfig(path)), filepath: path });
  if (!process.argv.includes("--check")) {
    await writeFile(path, wanted);
    continue;
  }
  const found = await readFile(path, "utf8").catch(() => "");
  if (found.replaceAll("\r\n", "\n") === wanted) continue;
  console.error(`${name} is not what ${source} says; run: node scripts/generate-schema.ts`);
  process.exitCode = 1;
}

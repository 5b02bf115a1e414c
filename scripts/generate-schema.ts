import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { fleetJsonSchema } from "../fleet/schema.ts";

/*
 * Writes fleet.schema.json, which editors read, from the schema that loading uses.
 * With --check nothing is written, and the exit code is 1 when the file is not up to date.
 */
const path = join(import.meta.dirname, "..", "fleet.schema.json");
const wanted = await format(fleetJsonSchema(), { ...(await resolveConfig(path)), filepath: path });

if (process.argv.includes("--check")) {
  const found = await readFile(path, "utf8").catch(() => "");
  if (found.replaceAll("\r\n", "\n") !== wanted) {
    console.error("fleet.schema.json is not what fleet/schema.ts says; run: node scripts/generate-schema.ts");
    process.exitCode = 1;
  }
} else {
  await writeFile(path, wanted);
}

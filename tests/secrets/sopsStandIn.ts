import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";

import { openSecret } from "./open.ts";

/* `sops --decrypt --output-type json FILE`, as far as files of age go, with the exit codes of sops. */

const [decrypt, type, form, file, ...more] = process.argv.slice(2);
if (
  decrypt !== "--decrypt" ||
  type !== "--output-type" ||
  form !== "json" ||
  file === undefined ||
  more.length > 0
)
  process.exit(1);
if (!existsSync(file)) process.exit(100);
const text = readFileSync(file, "utf8");
try {
  const object = parse(text) as Record<string, unknown>;
  const data = Object.entries(openSecret(text, process.env["SOPS_AGE_KEY"] ?? ""));
  const encoded = data.map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  process.stdout.write(
    JSON.stringify({ ...object, sops: undefined, data: Object.fromEntries(encoded) as unknown }),
  );
} catch {
  // None of the keys opens it.
  process.exit(128);
}

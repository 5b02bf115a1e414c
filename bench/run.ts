/**
 * `npm run bench [-- NAME …]`: measurements, each as a ratio to a peer or a floor in the same run.
 * Exits with 1 when a measurement could not be made; a ratio that was not reached is said and is no failure.
 */
import { benchBuild } from "./build.ts";
import { benchBootstrapToContent } from "./bootstrapToContent.ts";
import { benchGitPushes } from "./gitPushes.ts";
import { benchGitWrite } from "./gitWrite.ts";
import { benchGitWriters } from "./gitWriters.ts";
import { benchPolling } from "./polling.ts";
import { benchPage } from "./page.ts";
import { benchPackStart } from "./policyPack.ts";
import { benchImpact } from "./impact.ts";
import { benchPreview } from "./preview.ts";
import { benchRender } from "./render.ts";
import { benchRollback } from "./rollback.ts";
import { benchStacks } from "./stacks.ts";

const benches: Readonly<Record<string, () => Promise<string>>> = {
  "preview-100": () => benchPreview(100),
  "preview-500": () => benchPreview(500),
  "policy-start": () => benchPackStart(),
  "policy-preview-500": () => benchPreview(500, "without policies"),
  "page-3000": () => benchPage(3000),
  "render-1000": () => benchRender(1000),
  "impact-1000": () => benchImpact(1000),
  "build-1000": () => benchBuild(1000),
  "git-write-40k": () => benchGitWrite(2_000, 1.5, { clone: true }),
  "git-write-400k": () => benchGitWrite(20_000, 1.3, { clone: false }),
  "git-writers": () => benchGitWriters(20),
  "git-pushes": () => benchGitPushes(),
  "rollback-600": () => benchRollback(600),
  "polling-600": () => benchPolling(600),
  "stacks-600": () => benchStacks(600),
  "stacks-24": () => benchStacks(24),
  "bootstrap-to-content": () => benchBootstrapToContent(),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`No such measurement: ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}.`);
  process.exit(2);
}

for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  if (process.stderr.isTTY) console.error(`Measuring ${name} …`);
  console.log(`${await bench()}\n`);
}

import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs the tests on a real Kubernetes API. With ARCFLUX_TEST_REPORT set, the outcome is also written
 * to that file, as vitest's JSON report.
 */
const folder = import.meta.dirname;
const report = process.env["ARCFLUX_TEST_REPORT"];
const specs = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".spec.ts"),
);

if (specs.length === 0) {
  console.log("no e2e tests yet: they come with the lab on a real Kubernetes API");
  const nothing = { numTotalTests: 0, numPassedTests: 0, numFailedTests: 0, success: true, testResults: [] };
  if (report) writeFileSync(report, JSON.stringify(nothing));
} else {
  const root = join(folder, "..", "..");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const reporters = report ? ["--reporter=default", "--reporter=json", `--outputFile=${report}`] : [];
  const args = [
    vitest,
    "run",
    "--config",
    join(folder, "vitest.config.ts"),
    ...reporters,
    ...process.argv.slice(2),
  ];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
}

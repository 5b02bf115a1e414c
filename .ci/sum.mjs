// node sum.mjs FOLDER
// Sums the tests of a run and prints "N passed, N failed, N skipped" as its last line; exit 1 when
// anything failed. FOLDER holds `codes`, lines of "NAME EXITCODE", and the reports `test.json` and
// `e2e.json` as vitest writes them. The reports are the truth about tests, but a run that failed
// without naming a failed test, or left no report, counts as one failed test: it never sums up to 0 failed.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const reported = ["test", "e2e"];
const expected = ["test", "check", "e2e"];

/** Counts one vitest report; a file that could not be loaded has no tests and counts as one failed. */
export function count(report) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report.testResults) {
    const failedBefore = sum.failed;
    for (const test of file.assertionResults) {
      if (test.status === "passed") sum.passed++;
      else if (test.status === "failed") sum.failed++;
      else sum.skipped++;
    }
    if (file.status === "failed" && sum.failed === failedBefore) sum.failed++;
  }
  if (report.success !== true && sum.failed === 0) sum.failed++;
  return sum;
}

function readReport(name) {
  try {
    return count(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")));
  } catch (error) {
    console.log(`${name}: no report that can be read (${error.message})`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

let codes = {};
try {
  const lines = readFileSync(join(folder, "codes"), "utf8").trim().split("\n");
  codes = Object.fromEntries(lines.map((line) => line.split(" ")));
} catch {
  console.log("no step has ended");
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of expected) {
  const sum = reported.includes(name) ? readReport(name) : { passed: 0, failed: 0, skipped: 0 };
  if (codes[name] !== "0" && sum.failed === 0) sum.failed = 1;
  for (const key of Object.keys(total)) total[key] += sum[key];
  const tests = reported.includes(name)
    ? `: ${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`
    : "";
  console.log(
    `== ${name} ${codes[name] === "0" ? "passed" : `failed (exit code ${codes[name] ?? "unknown"})`}${tests}`,
  );
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;

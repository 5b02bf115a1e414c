import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRunning, until } from "./fakeClone.ts";
import type { ChildProcess } from "node:child_process";

/** What a stubbed npm script does: a report to write (or text in its place), then how it ends. */
interface Script {
  readonly report?: unknown;
  readonly exit?: number;
  /** JavaScript to run before it ends. */
  readonly before?: string;
}

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((state) => ({ status: state })),
});
const green = {
  success: true,
  testResults: [file("passed", "passed", "passed", "skipped"), file("passed", "passed", "todo")],
};
const none = { success: true, testResults: [] };
const passing: Record<string, Script> = { test: { report: green }, check: {}, "test:e2e": { report: none } };

let folder: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arcflux-ci-spec-"));
  children = [];
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "tmp"));
  cpSync(join(import.meta.dirname, "..", "..", ".ci"), join(folder, "clone", ".ci"), { recursive: true });
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const marker = () => join(folder, "marker");
const markedPid = async () => {
  await until(() => existsSync(marker()) && readFileSync(marker(), "utf8") !== "");
  return Number(readFileSync(marker(), "utf8"));
};
/** A process that leaves the step's process group and would run for ever, its pid in the marker. */
const straggler = () => `
const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
fs.writeFileSync(${JSON.stringify(marker())}, String(child.pid)); child.unref();`;
const forever = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";

function start(scripts: Record<string, Script>, env: Record<string, string> = {}) {
  const npm = join(folder, "bin", "npm");
  const behaviour = Object.entries(scripts).map(([name, script]) => {
    const text = typeof script.report === "string" ? script.report : JSON.stringify(script.report);
    const write = script.report === undefined ? "" : `fs.writeFileSync(report, ${JSON.stringify(text)});`;
    return `if (name === ${JSON.stringify(name)}) { ${write}\n${script.before ?? ""}\nprocess.exit(${script.exit ?? 0}); }`;
  });
  writeFileSync(
    npm,
    `#!${process.execPath}
const fs = require("node:fs");
const args = process.argv.slice(2);
const name = args[0] === "run" ? args[1] : args[0];
fs.appendFileSync(${JSON.stringify(join(folder, "log"))}, name + "\\n");
fs.mkdtempSync(require("node:os").tmpdir() + "/left-");
const report = name === "test" ? args.find((arg) => arg.startsWith("--outputFile="))?.slice(13) : process.env.ARCFLUX_TEST_REPORT;
${behaviour.join("\n")}
`,
  );
  chmodSync(npm, 0o755);
  const path = [join(folder, "bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const child = spawn(join(folder, "clone", ".ci", "run"), {
    cwd: "/",
    env: { ...process.env, PATH: path, TMPDIR: join(folder, "tmp"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const done = new Promise<{ code: number | null; last: string; text: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, text, last: text.trimEnd().split("\n").at(-1) ?? "" })),
  );
  return { child, done };
}

const ran = () => readFileSync(join(folder, "log"), "utf8").trim().split("\n");
const run = (scripts: Record<string, Script>, env?: Record<string, string>) =>
  start({ ...passing, ...scripts }, env).done;

test("runs tests, checks and e2e, and ends with the sum of both reports", async () => {
  const e2e = { success: true, testResults: [file("passed", "passed", "skipped")] };
  const { code, last } = await run({ "test:e2e": { report: e2e } });
  // 3 passed, 1 skipped, 1 todo there; 1 passed, 1 skipped here.
  expect(last).toBe("4 passed, 0 failed, 3 skipped");
  expect(code).toBe(0);
  expect(ran()).toEqual(["test", "check", "test:e2e"]);
});

test("a failed test fails the run, and the rest runs all the same", async () => {
  const report = { success: false, testResults: [file("failed", "passed", "failed", "failed")] };
  const { code, last } = await run({ test: { report, exit: 1 } });
  expect(last).toBe("1 passed, 2 failed, 0 skipped");
  expect(code).toBe(1);
  expect(ran()).toEqual(["test", "check", "test:e2e"]);
});

describe("never sums up to 0 failed", () => {
  test.each<[string, Record<string, Script>, string]>([
    ["a runner that crashed without a report", { test: { exit: 139 } }, "0 passed, 1 failed, 0 skipped"],
    ["a runner that ended well without a report", { test: {} }, "0 passed, 1 failed, 0 skipped"],
    [
      "a report that is cut off",
      { test: { report: '{"success":true,"testRes' } },
      "0 passed, 1 failed, 0 skipped",
    ],
    [
      "a report without its list of tests",
      { test: { report: { success: true } } },
      "0 passed, 1 failed, 0 skipped",
    ],
    [
      "all tests passed, then the runner failed",
      { test: { report: green, exit: 1 } },
      "3 passed, 1 failed, 2 skipped",
    ],
    [
      "a report that says it was no success",
      { test: { report: { ...green, success: false } } },
      "3 passed, 1 failed, 2 skipped",
    ],
    [
      "a file that could not be loaded",
      {
        test: {
          report: { success: false, testResults: [file("failed"), file("passed", "passed")] },
          exit: 1,
        },
      },
      "1 passed, 1 failed, 0 skipped",
    ],
    ["e2e without a report", { "test:e2e": {} }, "3 passed, 1 failed, 2 skipped"],
    ["a failed check", { check: { exit: 2 } }, "3 passed, 1 failed, 2 skipped"],
  ])("%s", async (_what, scripts, sum) => {
    const { code, last } = await run(scripts);
    expect(last).toBe(sum);
    expect(code).toBe(1);
  });
});

test("a step that hangs is ended, the others run, and the run fails", async () => {
  const { code, last, text } = await run(
    { test: { before: `fs.writeFileSync(${JSON.stringify(marker())}, String(process.pid)); ${forever}` } },
    { ARCFLUX_CI_STEP_SECONDS: "2" },
  );
  expect(code).toBe(1);
  expect(last).toBe("0 passed, 1 failed, 0 skipped");
  expect(text).toContain("longer than 2 s");
  expect(isRunning(await markedPid())).toBe(false);
  expect(ran()).toEqual(["test", "check", "test:e2e"]);
});

test("ends what a step left running and removes its temp files, also when it failed", async () => {
  const { code } = await run({ test: { report: green, exit: 1, before: straggler() } });
  expect(code).toBe(1);
  expect(isRunning(await markedPid())).toBe(false);
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});

test("when it is told to stop it ends all it started and removes its temp files", async () => {
  const { child, done } = start({ ...passing, test: { before: straggler() + forever } });
  const pid = await markedPid();
  child.kill("SIGTERM");
  expect((await done).code).toBe(143);
  expect(isRunning(pid)).toBe(false);
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});

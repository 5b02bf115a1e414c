import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cliArguments } from "../../lab/cliArguments.ts";
import { isAlive } from "../../lab/endWithParent.ts";
import { root } from "../../lab/lab.ts";
import { isOpen, portsOf, processesNaming, startCli, stayingCommand, within } from "./labProcess.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-lab-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it.each([
  [["pulumi", "up", "--yes"], { kind: "run", dir: "/clone/.lab", command: ["pulumi", "up", "--yes"] }],
  [["--dir", "/x", "--", "--odd"], { kind: "run", dir: "/x", command: ["--odd"] }],
  [["--dir=/x", "ls", "--help"], { kind: "run", dir: "/x", command: ["ls", "--help"] }],
  [["--"], { kind: "run", dir: "/clone/.lab", command: [] }],
  [["--dir", "/x", "--help"], { kind: "help" }],
  [["--dir"], { kind: "wrong", message: "--dir needs a folder." }],
])("reads %j", (args, expected) => {
  expect(cliArguments(args, "/clone")).toEqual(expected);
});

it("shows how it is used, and refuses options it does not know with code 2", async () => {
  const help = await startCli(["--help"]).ended;
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toContain("npm run lab -- [OPTIONS] [--] COMMAND");
  const wrong = await startCli(["--directory", dir, "ls"]).ended;
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toContain("Unknown option '--directory'");
});

it.each([
  ["is a file", "file", "The folder {dir}/file cannot be made: {dir}/file is a file."],
  ["is below a file", "file/a/b", "The folder {dir}/file/a/b cannot be made: {dir}/file is a file."],
  ["leads nowhere", "link", "The folder {dir}/link cannot be made: nothing can be made in {dir} (EEXIST)."],
])("refuses a folder that %s, and says what to do", async (_, name, message) => {
  writeFileSync(path.join(dir, "file"), "");
  symlinkSync(path.join(dir, "nowhere"), path.join(dir, "link"));
  const { code, stderr, stdout } = await startCli(["--dir", path.join(dir, name), "--", "true"]).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(`${message.replaceAll("{dir}", dir)} Choose another folder with --dir DIR.\n`);
});

it.runIf(process.platform === "linux").each([
  ["cli.ts" as const, "/proc/arcflux", 1, "nothing can be made in /proc"],
  ["cli.ts" as const, "/proc/self/a/b", 1, "nothing can be made in /proc/self"],
  ["cli.ts" as const, "/proc", 1, "Nothing can be written to /proc"],
  ["demo.ts" as const, "/proc/arcflux", 2, "nothing can be made in /proc"],
])("%s refuses %s at once", async (script, folder, code, message) => {
  const lab = startCli(
    ["--dir", folder, ...(script === "cli.ts" ? ["--", "true"] : [])],
    process.env,
    script,
  );
  const timer = setTimeout(() => lab.child.kill("SIGKILL"), 8000);
  const ended = await lab.ended;
  clearTimeout(timer);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).toContain("Choose another folder with --dir DIR.");
});

it("makes the folders above its own", async () => {
  const { code } = await startCli(["--dir", path.join(dir, "a", "b"), "--", "true"]).ended;
  expect(code).toBe(0);
});

it("runs the command in the clone and passes its exit code on", async () => {
  const { code, stdout } = await startCli(["--dir", dir, "--", "sh", "-c", "pwd; exit 5"]).ended;
  expect({ code, stdout }).toEqual({ code: 5, stdout: `${root}\n` });
  expect(processesNaming(dir)).toEqual([]);
});

it("says when there is no such command, with code 127", async () => {
  const { code, stderr } = await startCli(["--dir", dir, "--", "no-such-command"]).ended;
  expect(code).toBe(127);
  expect(stderr).toContain("There is no command 'no-such-command'");
});

it("passes a signal to the command first, and then cleans up", async () => {
  const lab = startCli(["--dir", dir, "--", ...stayingCommand]);
  const env = await lab.said;
  lab.child.kill("SIGTERM");
  expect((await lab.ended).code).toBe(7);
  expect(await Promise.all(portsOf(env).map(isOpen))).toEqual([false, false, false, false]);
  expect(processesNaming(dir)).toEqual([]);
});

it("leaves nothing in the way of the next start when it is killed with SIGKILL", async () => {
  const killed = startCli(["--dir", dir, "--", ...stayingCommand]);
  const before = await killed.said;
  killed.child.kill("SIGKILL");
  const orphan = Number(before["PID"]);
  try {
    expect(await within(async () => !(await Promise.all(portsOf(before).map(isOpen))).includes(true))).toBe(
      true,
    );
    const next = startCli(["--dir", dir, "--", ...stayingCommand]);
    const after = await next.said;
    expect(after["ARCFLUX_REPOSITORY_URL"]).toBe(before["ARCFLUX_REPOSITORY_URL"]);
    expect(after["PULUMI_DEBUG_PROVIDERS"]).toBe(before["PULUMI_DEBUG_PROVIDERS"]);
    next.child.kill("SIGTERM");
    expect((await next.ended).stderr).toBe("");
    expect(await within(() => processesNaming(dir).length === 0)).toBe(true);
  } finally {
    if (isAlive(orphan)) process.kill(orphan, "SIGKILL");
  }
});

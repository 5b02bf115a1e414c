import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Guarded } from "../../lab/cluster/guarded.ts";
import { endLeftovers, noteProcesses } from "../../lab/cluster/leftovers.ts";
import { ProcessDeath } from "../../lab/cluster/processDeath.ts";
import { root } from "../../lab/lab.ts";
import { birth } from "../../lab/lock.ts";
import { within } from "./labProcess.ts";

/* The guard of a cluster's processes, with a shell that sleeps in place of each program. */

let dir: string;
let notes: string;
const started: number[] = [];
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-guard-"));
  notes = path.join(dir, "processes.json");
});
afterEach(() => {
  for (const pid of started.splice(0)) if (runs(pid)) process.kill(pid, "SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

const env = { PATH: process.env["PATH"] ?? "" };
/** A process that nobody has waited for yet has no birth any more: nothing of it runs. */
const runs = (pid: number): boolean => birth(pid) !== "";

function plan(name: string, script: string) {
  return { name, program: "sh", args: ["-c", script], env, cwd: dir, log: path.join(dir, `${name}.log`) };
}

async function pidsOf(guarded: Guarded, count: number): Promise<number[]> {
  await within(() => Object.keys(guarded.pids).length === count + 1);
  const pids = Object.values(guarded.pids);
  started.push(...pids);
  return pids;
}

it("ends what it holds, also what will not go, and then itself", async () => {
  const guarded = new Guarded(notes, env);
  guarded.start(plan("willing", "exec sleep 600"));
  guarded.start(plan("stubborn", "trap '' TERM; echo deaf; while :; do sleep 1; done"));
  const pids = await pidsOf(guarded, 2);
  expect(pids.map(runs)).toEqual([true, true, true]);
  await within(
    () =>
      existsSync(path.join(dir, "stubborn.log")) &&
      readFileSync(path.join(dir, "stubborn.log"), "utf8") !== "",
  );
  await guarded.stop(200);
  expect(pids.map(runs)).toEqual([false, false, false]);
  expect(guarded.death).toBeUndefined();
});

it("tells which process ended by itself, with the end of its log", async () => {
  const guarded = new Guarded(notes, env);
  guarded.start(plan("steady", "exec sleep 600"));
  guarded.start(
    plan("etcd", "echo first; echo listen tcp 127.0.0.1:1: bind: address already in use; exit 3"),
  );
  const death = new ProcessDeath("edge-0", await guarded.died);
  expect(death.message).toBe(
    `etcd of the cluster edge-0 ended by itself (exit code 3). The end of ${dir}/etcd.log:\n` +
      "  first\n  listen tcp 127.0.0.1:1: bind: address already in use",
  );
  expect(death.portTaken).toBe(true);
  await guarded.stop(1000);
});

it("tells that a program is not there", async () => {
  const guarded = new Guarded(notes, env);
  guarded.start({ ...plan("etcd", ""), program: path.join(dir, "no-etcd") });
  expect(new ProcessDeath("edge-0", await guarded.died).message).toBe(
    `etcd of the cluster edge-0 ended by itself (spawn ${dir}/no-etcd ENOENT). ${dir}/etcd.log is empty.`,
  );
  await guarded.stop(1000);
});

/** A process that starts a guard with one child and prints their ids. */
const holder =
  (): string => `import { Guarded } from ${JSON.stringify(path.join(root, "lab", "cluster", "guarded.ts"))};
const guarded = new Guarded(${JSON.stringify(notes)}, process.env);
guarded.start(${JSON.stringify(plan("child", "exec sleep 600"))});
const timer = setInterval(() => {
  if (guarded.pids.child === undefined) return;
  clearInterval(timer);
  console.log(JSON.stringify(Object.values(guarded.pids)));
}, 20);
setInterval(() => {}, 1000);`;

async function startHolder(): Promise<{ kill: () => void; pids: number[] }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", holder()], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Promise<string>((resolve) =>
    child.stdout.once("data", (data: Buffer) => resolve(data.toString())),
  );
  const pids = JSON.parse(text) as number[];
  started.push(...pids, child.pid ?? 0);
  return { kill: () => void child.kill("SIGKILL"), pids };
}

it("ends what it holds when the process that started it is killed", async () => {
  const { kill, pids } = await startHolder();
  expect(pids.map(runs)).toEqual([true, true]);
  kill();
  expect(await within(() => !pids.some(runs))).toBe(true);
});

it("leaves what it held to the next start when it is killed itself", async () => {
  const { kill, pids } = await startHolder();
  const [child = 0, guard = 0] = pids;
  process.kill(guard, "SIGKILL");
  kill();
  expect(await within(() => !runs(guard))).toBe(true);
  expect(runs(child)).toBe(true);
  await endLeftovers(notes);
  expect(runs(child)).toBe(false);
});

it("never ends a process whose id was noted of another, or a note that is not to be trusted", async () => {
  const stranger = spawn("sleep", ["600"]);
  const pid = stranger.pid ?? 0;
  started.push(pid);
  noteProcesses(notes, [{ name: "etcd", pid }]);
  const noted = readFileSync(notes, "utf8");
  for (const born of ["1", ""]) {
    writeFileSync(notes, JSON.stringify([{ name: "etcd", pid, born }]));
    await endLeftovers(notes);
    expect(runs(pid)).toBe(true);
  }
  writeFileSync(notes, noted.slice(0, -5));
  await endLeftovers(notes);
  expect(runs(pid)).toBe(true);
  writeFileSync(notes, noted);
  await endLeftovers(notes);
  expect(runs(pid)).toBe(false);
});

import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { noteProcesses } from "./leftovers.ts";
import type { GuardEvent, GuardOrder } from "./guarded.ts";

/**
 * Holds the processes of one cluster. They are programs that cannot notice the end of the lab, so this process does it
 * for them: when its channel to the lab closes, however the lab ended, it ends them, and then itself.
 *
 * `node guard.ts FILE`, with an IPC channel. FILE is where the processes are noted for a start after a crash.
 */
const [, , notes = ""] = process.argv;
const children = new Map<string, ChildProcess>();
let ending = false;

function note(): void {
  const pids = [...children].map(([name, child]) => ({ name, pid: child.pid ?? 0 }));
  noteProcesses(notes, [...pids, { name: "guard", pid: process.pid }]);
}

function tell(event: GuardEvent): void {
  if (process.connected) process.send?.(event, undefined, undefined, () => undefined);
}

function start({ name, program, args, env, log, cwd }: Extract<GuardOrder, { kind: "start" }>): void {
  if (ending) return;
  const output = openSync(log, "a", 0o600);
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", output, output] });
  closeSync(output);
  child.once("error", (error) => {
    children.delete(name);
    tell({ kind: "ended", name, how: error.message });
  });
  child.once("exit", (code, signal) => {
    children.delete(name);
    if (!ending) note();
    tell({ kind: "ended", name, how: signal ?? `exit code ${code}` });
    if (ending && children.size === 0) process.exit(0);
  });
  if (child.pid === undefined) return;
  children.set(name, child);
  note();
  tell({ kind: "started", name, pid: child.pid });
}

/** All at once: whatever they would still write is thrown away. */
function endAll(patience: number): void {
  if (ending) return;
  ending = true;
  if (children.size === 0) process.exit(0);
  for (const child of children.values()) child.kill("SIGTERM");
  setTimeout(() => {
    for (const child of children.values()) child.kill("SIGKILL");
  }, patience);
}

process.on("message", (order: GuardOrder) => {
  if (order.kind === "start") start(order);
  else endAll(order.patience);
});
process.on("disconnect", () => endAll(500));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => endAll(500));
if (!process.connected) endAll(500);
note();

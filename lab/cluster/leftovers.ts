import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { readJson, writeJsonAtomic } from "../atomicFile.ts";
import { isAlive } from "../endWithParent.ts";
import { birth } from "../lock.ts";

interface NotedProcess {
  readonly name: string;
  readonly pid: number;
  /** When it started: a process id is used again after a while. */
  readonly born: string;
}

/** Notes the processes of a cluster, so that a start after a crash finds those that are left. */
export function noteProcesses(file: string, processes: readonly { name: string; pid: number }[]): void {
  writeJsonAtomic(
    file,
    processes.map(({ name, pid }): NotedProcess => ({ name, pid, born: birthOf(pid) })),
    0o600,
  );
}

/**
 * Ends the processes that a file names, and only those: one whose id went to another process, or of which that cannot
 * be told, is left alone. Throws when one does not end within ten seconds.
 */
export async function endLeftovers(file: string): Promise<void> {
  const left = noted(file).filter(isTheSame);
  for (const { pid } of left) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended while we looked.
    }
  }
  for (let attempt = 0; left.some(isTheSame); attempt++) {
    if (attempt === 100) {
      const names = left.filter(isTheSame).map(({ name, pid }) => `${name} (process ${pid})`);
      throw new Error(`Left from an earlier start and not to be ended: ${names.join(", ")}. End them first.`);
    }
    await sleep(100);
  }
}

function noted(file: string): NotedProcess[] {
  let content: unknown;
  try {
    content = readJson(file);
  } catch {
    // Not ours, or cut off by a full disk: nothing in it can be trusted.
  }
  if (!Array.isArray(content)) return [];
  return (content as Partial<NotedProcess>[]).filter(
    (one): one is NotedProcess =>
      Number.isInteger(one?.pid) && (one.pid ?? 0) > 1 && typeof one.born === "string",
  );
}

function isTheSame({ pid, born }: NotedProcess): boolean {
  return born !== "" && isAlive(pid) && birthOf(pid) === born;
}

function birthOf(pid: number): string {
  const born = birth(pid);
  if (born !== "" || process.platform === "win32" || process.platform === "linux") return born;
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

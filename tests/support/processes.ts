import { readdir, readFile } from "node:fs/promises";

/** One process of this machine. */
export interface Process {
  readonly pid: number;
  /** Its command line, arguments separated by spaces. */
  readonly command: string;
}

/** Processes whose environment holds this text, such as the folder of a lab. Linux only: it reads /proc. */
export async function processesWith(text: string): Promise<Process[]> {
  const found: Process[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8");
      if (!environment.includes(text) || Number(pid) === process.pid) continue;
      const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
      // A process that has ended and was not waited for yet has no command line.
      if (command !== "") found.push({ pid: Number(pid), command });
    } catch {
      // It ended while we looked, or is not ours to look at.
    }
  }
  return found;
}

/** Command lines of every process on this machine: what anyone can see with `ps`. */
export async function commandLines(): Promise<string[]> {
  const lines: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    try {
      lines.push((await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " "));
    } catch {
      // It ended while we looked.
    }
  }
  return lines;
}

/** Waits until the condition holds. The bound is there only so that a test that fails ends. */
export async function eventually(
  what: string,
  holds: () => Promise<boolean>,
  boundMs = 30_000,
): Promise<void> {
  const end = Date.now() + boundMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`This never came true: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

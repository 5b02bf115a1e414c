import { execFileSync } from "node:child_process";

/** The most resident memory of all processes below this one while something runs, in megabytes; shared pages count in each. */
export async function peakMemory(run: () => Promise<void>): Promise<number> {
  let peak = 0;
  const look = setInterval(() => (peak = Math.max(peak, below(process.pid))), 1000);
  try {
    await run();
    return peak / 1024;
  } finally {
    clearInterval(look);
  }
}

/** Kilobytes of what a process started, and of what that started. */
function below(pid: number): number {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,rss="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = Map.groupBy(rows, ([, parent]) => parent ?? 0);
  const sum = (of: number): number =>
    (children.get(of) ?? []).reduce((all, [child = 0, , rss = 0]) => all + rss + sum(child), 0);
  return sum(pid);
}

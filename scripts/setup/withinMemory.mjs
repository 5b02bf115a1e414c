import { readFileSync } from "node:fs";
import { availableParallelism, cpus, freemem } from "node:os";

/** Runs `work` on each, several at once as far as memory and cores (two for each) allow; in order of the list. */
export async function withinMemory(items, work, limits = machine()) {
  const results = [];
  const running = new Set();
  let [used, failed] = [0, undefined];
  for (const item of items) {
    const need = item.tool.memoryMegabytes;
    while (running.size > 0 && (running.size >= limits.builds || used + need > limits.megabytes)) {
      await Promise.race(running);
    }
    if (failed !== undefined) break;
    used += need;
    const one = work(item)
      .then((result) => results.push(result))
      .catch((error) => (failed ??= error))
      .finally(() => {
        used -= need;
        running.delete(one);
      });
    running.add(one);
  }
  await Promise.all(running);
  if (failed !== undefined) throw failed;
  return results;
}

function machine() {
  const cores = availableParallelism?.() ?? cpus().length;
  return { builds: Math.max(1, Math.floor(cores / 2)), megabytes: availableMegabytes() - 1000 };
}

/** What programs can still get; on Linux more than what is unused, since caches give way. */
function availableMegabytes() {
  try {
    const [, kilobytes] = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) / 1000;
  } catch {
    // Not Linux.
  }
  return freemem() / 1e6;
}

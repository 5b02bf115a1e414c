import { readFileSync } from "node:fs";
import { availableParallelism, cpus, freemem } from "node:os";

/**
 * Runs `work` on each, several at once as far as memory and cores (two for each) allow. Those of one recipe share most of
 * what they compile, so they run one after the other. After a failure nothing new is begun; it is thrown when all ended.
 */
export async function withinMemory(items, work, limits = machine()) {
  const waiting = [...items];
  const running = new Map();
  const results = [];
  let failed;
  const fits = ({ tool }) => {
    const others = [...running.values()].map((item) => item.tool);
    const used = others.reduce((sum, other) => sum + other.memoryMegabytes, 0);
    // One that needs more than there is gets its try too, alone.
    if (others.length === 0) return true;
    return (
      others.length < limits.builds &&
      used + tool.memoryMegabytes <= limits.megabytes &&
      others.every(({ recipe }) => recipe !== tool.recipe)
    );
  };
  while (waiting.length > 0 && failed === undefined) {
    const index = waiting.findIndex(fits);
    if (index < 0) {
      await Promise.race(running.keys());
      continue;
    }
    const [item] = waiting.splice(index, 1);
    const one = work(item)
      .then((result) => results.push(result))
      .catch((error) => (failed ??= error))
      .finally(() => running.delete(one));
    running.set(one, item);
  }
  await Promise.all(running.keys());
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

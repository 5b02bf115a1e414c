import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** Containers may share a folder, and a process of another one looks dead from here. */
const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/** Names this process in files that others read: `host-pid-start`. No later process with the same pid shares it. */
export const ownName = `${host}-${process.pid}-${startOf(process.pid) ?? "0"}`;

/**
 * Whether the process of such a name still runs. One of another host cannot be asked after, so there the age of its
 * last sign of life decides.
 */
export function isRunning(name: string, silentSeconds: number): boolean {
  const [, where, pid, start] = /^([0-9a-f]{8})-(\d+)-(\d+)$/.exec(name) ?? [];
  if (where === undefined) return false;
  if (where !== host) return silentSeconds < 60;
  const now = startOf(Number(pid));
  return now !== undefined && (now === start || now === "0" || start === "0");
}

/** When a process started, in a unit of the system's own; undefined when there is none, "0" where it is not told. */
function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return undefined;
  }
  if (process.platform !== "linux") return "0";
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended already.
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/**
 * When a process started, as a text that a later process with the same pid does not share.
 * Undefined when there is no such process; "0" where the system does not tell.
 */
export function startOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return undefined;
  }
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" ? undefined : fields[19]; // a zombie has ended already
    }
    if (process.platform === "darwin") {
      const text = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
      return String(Date.parse(text.trim()) || 0);
    }
  } catch {
    return process.platform === "linux" ? undefined : "0";
  }
  return "0";
}

/** Host names may hold anything; as part of a file name they may not. */
const host = hostname().replace(/[^A-Za-z0-9-]/g, "-") || "localhost";

/** Names this process in locks and temp folders: `host_pid-start`. */
export const self = `${host}_${process.pid}-${startOf(process.pid) ?? "0"}`;

/** The parts of a name made like `self`, or undefined. */
export function parseOwner(token) {
  const match = /^([A-Za-z0-9-]+)_(\d+)-(\d+)$/.exec(token);
  return match ? { host: match[1], pid: Number(match[2]), start: match[3] } : undefined;
}

/**
 * Whether the process named by a token still runs. A pid of another host cannot be asked after, so
 * there `silentSeconds`, the age of its last sign of life, decides.
 */
export function isAlive(token, silentSeconds) {
  const owner = parseOwner(token);
  if (owner === undefined) return false;
  if (owner.host !== host) return silentSeconds < 120;
  const start = startOf(owner.pid);
  return start !== undefined && (start === owner.start || start === "0" || owner.start === "0");
}

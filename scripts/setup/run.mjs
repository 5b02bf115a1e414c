import { spawn } from "node:child_process";
import { Interrupted } from "./fault.mjs";

const windows = process.platform === "win32";
const running = new Map();
let stopSignal;

/** Sends a signal to a process started by `run` and to all that it started. */
export function killGroup(pid, signal) {
  try {
    process.kill(windows ? pid : -pid, signal);
  } catch {
    // It has ended already.
  }
}

/**
 * Runs a program to its end: `{ code, output }`, the output being stdout and stderr together, `code`
 * null when it was killed and undefined when it could not be started. It gets a process group of its
 * own, so that all of it can be ended. `lock` remembers it, for the case that this process is killed.
 */
export function run(command, args, { cwd, env, lock, limitSeconds } = {}) {
  if (stopSignal !== undefined) return Promise.reject(new Interrupted(stopSignal));
  return new Promise((resolve, reject) => {
    // npm is a .cmd file on Windows, which only a shell runs there, and which quotes nothing itself.
    const shell = windows && (command === "npm" || /\.cmd$/i.test(command));
    const quote = (text) => (shell && /\s/.test(text) ? `"${text}"` : text);
    const options = {
      cwd,
      env,
      shell,
      detached: !windows,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    };
    const child = spawn(quote(command), args.map(quote), options);
    let output = "";
    const keep = (chunk) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    const limit = limitSeconds && setTimeout(() => killGroup(child.pid, "SIGKILL"), limitSeconds * 1000);
    if (child.pid !== undefined) {
      running.set(child.pid, child);
      try {
        lock?.recordChild(child.pid);
      } catch (error) {
        killGroup(child.pid, "SIGKILL");
        reject(error);
      }
    }
    const finish = (code) => {
      clearTimeout(limit);
      running.delete(child.pid);
      if (stopSignal !== undefined) reject(new Interrupted(stopSignal));
      else resolve({ code, output });
    };
    child.on("error", (error) => {
      output = error.message;
      finish(undefined);
    });
    child.on("close", finish);
  });
}

/** From now on Ctrl-C and its like end the programs that run, and `run` rejects with Interrupted. */
export function stopOnSignals() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      stopSignal = signal;
      for (const pid of running.keys()) killGroup(pid, "SIGTERM");
      setTimeout(() => {
        for (const pid of running.keys()) killGroup(pid, "SIGKILL");
      }, 3000).unref();
    });
  }
}

/** Throws when a signal has come in: long work that is no program calls it between its steps. */
export function throwIfStopped() {
  if (stopSignal !== undefined) throw new Interrupted(stopSignal);
}

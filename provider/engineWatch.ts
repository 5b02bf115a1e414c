import { connect } from "node:net";

/**
 * A provider must not outlive its engine: after `kill -9` of the engine it would go on pushing, while the
 * next run believes that nobody does.
 */

const parentAtStart = process.ppid;

/**
 * Whether the engine that started this process is still there, as far as can be told at once. On POSIX an orphan gets
 * another parent immediately; on Windows the parent's id stays, so the process is asked for.
 */
export function engineIsAlive(): boolean {
  if (process.ppid !== parentAtStart) return false;
  if (process.platform !== "win32") return true;
  try {
    process.kill(parentAtStart, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Calls `onGone` once when the engine has gone; looks each second and does not keep the process alive. The engine's
 * address (host:port) tells too: a process whose parent died before it looked for the first time has no change to see.
 */
export function watchEngine(address: string | undefined, onGone: () => void): void {
  const timer = setInterval(() => {
    void isGone(address).then((gone) => {
      if (!gone) return;
      clearInterval(timer);
      onGone();
    });
  }, 1000);
  timer.unref();
}

async function isGone(address: string | undefined): Promise<boolean> {
  if (!engineIsAlive()) return true;
  const [, host, port] = /^(.*):(\d+)$/.exec(address ?? "") ?? [];
  return host !== undefined && port !== undefined && (await isRefused(host, Number(port)));
}

/** Only a refused connection says that nobody listens there any more; a slow answer says nothing. */
function isRefused(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (refused: boolean): void => {
      socket.destroy();
      resolve(refused);
    };
    socket.setTimeout(500, () => end(false));
    socket.once("connect", () => end(false));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code === "ECONNREFUSED"));
  });
}

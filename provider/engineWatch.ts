/**
 * A provider must not outlive its engine: after `kill -9` of the engine it would go on pushing, while the
 * next run believes that nobody does.
 */

const parentAtStart = process.ppid;

/**
 * Whether the engine that started this process is still there. On POSIX an orphan gets another parent at once;
 * on Windows the parent's id stays, so the process is asked for.
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

/** Calls `onGone` once when the engine has gone; looks each second and does not keep the process alive. */
export function watchEngine(onGone: () => void): void {
  const timer = setInterval(() => {
    if (engineIsAlive()) return;
    clearInterval(timer);
    onGone();
  }, 1000);
  timer.unref();
}

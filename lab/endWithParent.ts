/**
 * Calls `onGone` once when the process that started this one is gone: its end of our standard input is closed, or,
 * on POSIX, we have another parent. A process killed with SIGKILL can tell nobody, so the children must look.
 * Without `watchInput` only the parent is looked at, once a second.
 */
export function endWithParent(onGone: () => void, options: { readonly watchInput: boolean }): void {
  const parent = process.ppid;
  let told = false;
  const tell = (): void => {
    if (told) return;
    told = true;
    clearInterval(timer);
    onGone();
  };
  const timer = setInterval(() => {
    if (process.ppid !== parent || !isAlive(parent)) tell();
  }, 1000);
  timer.unref();
  if (!options.watchInput) return;
  process.stdin.on("end", tell).on("close", tell).on("error", tell).resume();
}

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

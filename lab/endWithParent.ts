import { refusesConnection } from "./refusesConnection.ts";

/** How to tell that the process that started this one is gone. All that are given are looked at. */
export interface ParentSigns {
  /** Its id, as it said itself: by the time we look for our parent it may be gone, and we have another one. */
  readonly parent?: number;
  /** Gives the address (`host:port`) that it listens at as long as it lives. */
  readonly address?: () => string;
  /** Whether its end of our standard input stays open as long as it lives. */
  readonly watchInput?: boolean;
}

/**
 * Calls `onGone` once when the process that started this one is gone. A process killed with SIGKILL can tell nobody, so
 * the children must look: at once, and then once a second. On POSIX it is gone when we have another parent.
 */
export function endWithParent(
  onGone: () => void,
  { parent = process.ppid, address, watchInput }: ParentSigns,
): void {
  let told = false;
  const tell = (): void => {
    if (told) return;
    told = true;
    clearInterval(timer);
    onGone();
  };
  const look = async (): Promise<void> => {
    const changed = process.platform !== "win32" && process.ppid !== parent;
    if (changed || !isAlive(parent) || (address && (await refusesConnection(address())))) tell();
  };
  const timer = setInterval(() => void look(), 1000);
  timer.unref();
  void look();
  if (watchInput) process.stdin.on("end", tell).on("close", tell).on("error", tell).resume();
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

import type { ChildProcess } from "node:child_process";

/** The programs and policy packs that this host has started and that still run. */
export class Children {
  readonly #running = new Set<ChildProcess>();

  add(child: ChildProcess): void {
    this.#running.add(child);
    const forget = (): void => void this.#running.delete(child);
    child.once("exit", forget).once("error", forget);
  }

  /** Asks all of them to stop and waits; after five seconds they are killed. */
  async interrupt(): Promise<void> {
    await Promise.all(
      [...this.#running].map(async (child) => {
        const gone = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
        child.kill("SIGINT");
        const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
        await gone;
        clearTimeout(timer);
      }),
    );
  }

  /** Ends all of them at once: the engine is gone. */
  kill(): void {
    for (const child of this.#running) child.kill("SIGKILL");
  }
}

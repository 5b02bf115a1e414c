import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import path from "node:path";
import { guardEnded } from "./processDeath.ts";

/** What the guard is told. */
export type GuardOrder =
  | ({ readonly kind: "start" } & ProcessPlan)
  /** Ends everything; what is left after `patience` milliseconds is killed. */
  | { readonly kind: "end"; readonly patience: number };

/** What the guard tells. */
export type GuardEvent =
  | { readonly kind: "started"; readonly name: string; readonly pid: number }
  | { readonly kind: "ended"; readonly name: string; readonly how: string };

/** One process of a cluster. */
export interface ProcessPlan {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** File that gets its output. */
  readonly log: string;
}

/** A process that ended without being told to. */
export interface Death {
  readonly plan: ProcessPlan;
  /** `exit code 1`, `SIGKILL`, or why it could not be started. */
  readonly how: string;
}

/** Processes that end when this one does, however it ends. */
export class Guarded {
  readonly #guard: ChildProcess;
  readonly #plans = new Map<string, ProcessPlan>();
  readonly #pids = new Map<string, number>();
  readonly #gone: Promise<void>;
  #stopping = false;
  #death: Death | undefined;
  /** Resolves at the first death, and never when there is none. */
  readonly died: Promise<Death>;

  /**
   * @param notes file where the processes are noted.
   * @param env environment of the guard itself.
   */
  constructor(notes: string, env: Readonly<Record<string, string>>) {
    // A group of its own: Ctrl-C on the terminal is for the lab, which then ends its clusters in order.
    this.#guard = fork(path.join(import.meta.dirname, "guard.ts"), [notes], {
      detached: true,
      env,
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const { promise, resolve } = Promise.withResolvers<Death>();
    this.died = promise;
    const die = (plan: ProcessPlan, how: string): void => {
      if (this.#stopping || this.#death !== undefined) return;
      this.#death = { plan, how };
      resolve(this.#death);
    };
    this.#guard.on("message", (event: GuardEvent) => {
      if (event.kind === "started") {
        this.#pids.set(event.name, event.pid);
        return;
      }
      this.#pids.delete(event.name);
      const plan = this.#plans.get(event.name);
      if (plan !== undefined) die(plan, event.how);
    });
    this.#gone = new Promise((settle) => {
      const end = (): void => {
        // With the guard goes the word of what became of the others.
        for (const plan of this.#plans.values()) die(plan, guardEnded);
        settle();
      };
      this.#guard.once("exit", end).once("error", end);
    });
  }

  /** The first death, when there was one. */
  get death(): Death | undefined {
    return this.#death;
  }

  /** Process ids by name, of those that run, and of the guard. */
  get pids(): Readonly<Record<string, number>> {
    return { ...Object.fromEntries(this.#pids), guard: this.#guard.pid ?? 0 };
  }

  start(plan: ProcessPlan): void {
    this.#plans.set(plan.name, plan);
    this.#send({ kind: "start", ...plan });
  }

  /** Ends every process, by force after `patience` milliseconds, and waits until they are gone. */
  async stop(patience: number): Promise<void> {
    this.#stopping = true;
    this.#send({ kind: "end", patience });
    await this.#gone;
  }

  #send(order: GuardOrder): void {
    if (this.#guard.connected) this.#guard.send(order, () => undefined);
  }
}

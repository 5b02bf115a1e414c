import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { EngineAnswer, EngineCall } from "./engineCall.ts";

interface Waiting {
  readonly call: EngineCall;
  readonly resolve: (answer: EngineAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** A folder is built within a second, also on a busy machine. What takes longer does not end. */
const mostSeconds = 60;
/** A worker takes some 200 MB and a second to start, so one is enough for a few builds. */
const callsForOneMore = 20;
const mostWorkers = Math.max(1, Math.min(4, availableParallelism() - 1));

/** The Go program in threads of its own, so that no input can keep Arcflux from going on. */
export class Engine {
  readonly #load: () => Promise<WebAssembly.Module>;
  readonly #waiting: Waiting[] = [];
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #module: Promise<WebAssembly.Module> | undefined;
  #closed = false;

  constructor(load: () => Promise<WebAssembly.Module>) {
    this.#load = load;
  }

  /** Rejects only where there is no program to call. */
  async call(call: EngineCall): Promise<EngineAnswer> {
    const module = await (this.#module ??= this.#load());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      const wanted = Math.min(mostWorkers, 1 + Math.floor(this.#waiting.length / callsForOneMore));
      if (this.#idle.length === 0 && this.#all.size < wanted) this.#idle.push(this.#start(module));
      this.#next(module);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #next(module: WebAssembly.Module): void {
    const worker = this.#idle.pop();
    const waiting = worker && this.#waiting.shift();
    if (waiting !== undefined) this.#run(worker!, waiting, module);
    else if (worker !== undefined) this.#idle.push(worker);
  }

  #run(worker: Worker, { call, resolve, reject }: Waiting, module: WebAssembly.Module): void {
    const end = (): void => {
      clearTimeout(timer);
      worker.off("message", answered).off("error", failed).off("exit", failed);
    };
    const answered = (answer: EngineAnswer): void => {
      end();
      worker.unref();
      this.#idle.push(worker);
      resolve(answer);
      this.#next(module);
    };
    const lose = (why: string): void => {
      end();
      this.#all.delete(worker);
      void worker.terminate();
      if (this.#closed) return reject(new Error("The builder was closed."));
      resolve({ lost: why, missing: { folders: [], files: [] } });
      if (this.#waiting.length > 0) this.#idle.push(this.#start(module));
      this.#next(module);
    };
    const failed = (reason: unknown): void => lose(`the thread ended: ${String(reason)}`);
    const timer = setTimeout(() => lose("time"), mostSeconds * 1000);
    worker.ref();
    worker.on("message", answered).on("error", failed).on("exit", failed);
    worker.postMessage(call);
  }

  #start(module: WebAssembly.Module): Worker {
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const worker = new Worker(new URL(`./engineWorker.${extension}`, import.meta.url), {
      workerData: module,
      // Nothing of the process is for the engine, and its options may be those of a test runner.
      env: {},
      execArgv: [],
      resourceLimits: { stackSizeMb: 16 },
    });
    worker.unref();
    this.#all.add(worker);
    return worker;
  }
}

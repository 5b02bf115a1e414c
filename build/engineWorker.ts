import { parentPort, workerData } from "node:worker_threads";
import { MemoryFiles } from "./memoryFiles.ts";
import type { EngineAnswer, EngineCall, EngineResponse } from "./engineCall.ts";
import { Wasi } from "./wasi.ts";

/** What the Go program offers. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly reserve: (size: number) => number;
  readonly answer: () => number;
  readonly answerAt: () => number;
}

/** Past this, an instance is replaced by a fresh one: its memory never shrinks. */
const mostMemory = 512 << 20;
const module = workerData as WebAssembly.Module;
let running: { readonly wasi: Wasi; readonly exports: Exports } | undefined;

function start(): typeof running & object {
  const wasi = new Wasi();
  const { exports } = new WebAssembly.Instance(module, wasi.imports(module));
  const engine = exports as unknown as Exports;
  wasi.memory = engine.memory;
  wasi.files = new MemoryFiles({ folders: new Map(), files: new Map() });
  engine._initialize();
  return { wasi, exports: engine };
}

function answer({ request, folders, files: contents }: EngineCall): EngineAnswer {
  const files = new MemoryFiles({ folders, files: contents });
  const { wasi, exports } = (running ??= start());
  wasi.files = files;
  try {
    const asked = Buffer.from(JSON.stringify(request));
    const to = exports.reserve(asked.length);
    new Uint8Array(exports.memory.buffer).set(asked, to);
    const size = exports.answer();
    const text = Buffer.from(exports.memory.buffer, exports.answerAt(), size).toString();
    const response = JSON.parse(text) as EngineResponse;
    return { response, missing: files.missing, output: wasi.output };
  } catch (error) {
    running = undefined;
    return { lost: reasonOf(error, wasi.output), missing: files.missing };
  } finally {
    if (exports.memory.buffer.byteLength > mostMemory) running = undefined;
  }
}

function reasonOf(error: unknown, output: string): string {
  if (/out of memory|cannot allocate/.test(output)) return "memory";
  // kustomize follows an alias that holds itself for ever.
  return error instanceof RangeError ? "depth" : String(error);
}

parentPort!.on("message", (call: EngineCall) => parentPort!.postMessage(answer(call)));

/** One operation on many stacks: the only door to fanout/. */

export { fanOut, type FanOut, type FanOutOptions } from "./fanOut.ts";
export { fingerprint, readDone, saveDone } from "./done.ts";
export { operate, type Operation, operations, type OperateOptions } from "./operate.ts";

/** What became of an operation on many stacks. */
export interface FanOut {
  /** By stack, what its operation said of itself. */
  readonly done: ReadonlyMap<string, string>;
  /** By stack, why it failed. */
  readonly failed: ReadonlyMap<string, string>;
  readonly notStarted: readonly string[];
}

export interface FanOutOptions {
  /** Stacks under way at once. */
  readonly parallel: number;
  /** After so many failures no further stack is started; those under way are not ended. */
  readonly stopAfter: number;
  /** Once it is aborted, no further stack is started. */
  readonly signal?: AbortSignal;
  /** Told as each stack ends; waited for, so that what is kept of it is kept in order. */
  readonly onEnd?: (stack: string, outcome: "done" | "failed", text: string) => Promise<void> | void;
}

/** Runs an operation on each stack, in order, so many at once. Never rejects for what an operation rejects with. */
export async function fanOut(
  stacks: readonly string[],
  operate: (stack: string) => Promise<string>,
  { parallel, stopAfter, signal, onEnd }: FanOutOptions,
): Promise<FanOut> {
  const [done, failed, waiting] = [new Map<string, string>(), new Map<string, string>(), [...stacks]];
  const worker = async (): Promise<void> => {
    while (failed.size < stopAfter && signal?.aborted !== true) {
      const stack = waiting.shift();
      if (stack === undefined) return;
      const [outcome, text] = await operate(stack).then(
        (said) => ["done", said] as const,
        (error: unknown) => ["failed", error instanceof Error ? error.message : String(error)] as const,
      );
      (outcome === "done" ? done : failed).set(stack, text);
      await onEnd?.(stack, outcome, text);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, stacks.length) }, worker));
  return { done, failed, notStarted: waiting };
}

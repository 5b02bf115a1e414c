import { setTimeout as sleep } from "node:timers/promises";
import { ApiException } from "@kubernetes/client-node";

/** How long a request to a cluster may take. */
export interface RequestLimits {
  /** Of one try, in milliseconds; for as long it is also tried again. */
  readonly timeout: number;
  /** Ends all of it. */
  readonly signal?: AbortSignal | undefined;
}

/** Between two tries, in milliseconds. */
const pause = 500;

/**
 * Sends a request, which is given up where its answer takes too long: most of the client's requests take no signal. It is sent
 * again while the API server says that the storage of a kind is initializing, as it does for a moment once the kind was made
 * or changed.
 */
export async function request<T>(
  send: (ends: AbortSignal) => Promise<T>,
  { timeout, signal }: RequestLimits,
): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      const ends = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]);
      ends.throwIfAborted();
      return await unlessEnded(send(ends), ends);
    } catch (error) {
      if (!isInitializing(error) || Date.now() >= deadline) throw error;
      await sleep(pause, undefined, { signal });
    }
  }
}

function unlessEnded<T>(answer: Promise<T>, ends: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    ends.addEventListener("abort", () => reject(ends.reason as Error), { once: true });
    answer.then(resolve, reject);
  });
}

/** Nothing was done of a request that was answered so. */
function isInitializing(error: unknown): boolean {
  if (!(error instanceof ApiException) || (error.code !== 429 && error.code !== 503)) return false;
  return /storage is \(re\)initializing/.test(messageIn(error.body) ?? "");
}

/** The words of a Status of Kubernetes, which the client hands on as text. */
export function messageIn(body: unknown): string | undefined {
  try {
    const { message } = (typeof body === "string" ? JSON.parse(body) : body) as { message?: unknown };
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

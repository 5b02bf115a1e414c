/** Longest pause between two tries, in seconds; an operation of Azure takes minutes. */
const longestPause = 60;

/** Tries before it is told: some twenty minutes with the pauses between them. */
const mostTries = 24;

/**
 * Whether Azure refuses a change for what passes by itself: another operation on the resource, or a version that changed in
 * between (409 and 412). A name that is taken or another region is a 409 as well, and stays one.
 */
export function isPassingConflict(error: string): boolean {
  return /another operation|OperationInProgress|ConflictingConcurrentWrite|PreconditionFailed|\b412\b|object has been modified/i.test(
    error,
  );
}

/** Seconds until the next try after so many that failed; undefined where it is time to give up. */
export function pauseAfter(tries: number): number | undefined {
  return tries >= mostTries ? undefined : Math.min(longestPause, 2 ** tries);
}

/** Does something in Azure again while a passing conflict refuses it. Rejects with any other error, or the last one. */
export async function overConflicts<T>(
  act: () => Promise<T>,
  sleep: (seconds: number) => Promise<void>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      const { message, code = "" } = error as Error & { readonly code?: string };
      const pause = isPassingConflict(`${code} ${message}`) ? pauseAfter(tries) : undefined;
      if (pause === undefined) throw error;
      await sleep(pause);
    }
  }
}

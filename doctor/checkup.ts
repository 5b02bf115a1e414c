/** What one look found. */
export interface Checkup {
  /** What was looked at, as the first column of the report: `Node`, `roles`, `edge-0`. */
  readonly about: string;
  /** `unknown`: nobody could look, so that nothing is known to be right either. */
  readonly state: "ok" | "warning" | "error" | "unknown";
  /** One sentence without its final stop. */
  readonly text: string;
  /** The command, or the step, that mends it. */
  readonly mend?: string;
}

/** Whether a run ends well: what nobody could look at counts as wrong. */
export function isHealthy(checkups: readonly Checkup[]): boolean {
  return checkups.every(({ state }) => state === "ok" || state === "warning");
}

/** A look that must not end the others: what it rejects with is what it found. */
export async function lookedAt(
  about: string,
  look: () => Promise<readonly Checkup[]>,
  mend?: string,
): Promise<readonly Checkup[]> {
  try {
    return await look();
  } catch (error) {
    const [words = ""] = (error as Error).message.split("\n");
    const text = words.replace(/\.+$/, "");
    return [{ about, state: "unknown", text, ...(mend !== undefined && { mend }) }];
  }
}

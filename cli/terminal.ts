/** Where a command writes. Tests and other programs hand in their own. */
export interface Terminal {
  /** Results: text that is ready to be piped. */
  readonly out: (text: string) => void;
  /** Findings and failures. */
  readonly err: (text: string) => void;
}

/** The process's own streams. */
export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** One JSON value as a result. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

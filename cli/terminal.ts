import { styleText } from "node:util";

export type Colour = "red" | "yellow" | "dim";

/** Where a command writes. Tests and other programs hand in their own. */
export interface Terminal {
  /** Results: text that is ready to be piped. Never in colour. */
  readonly out: (text: string) => void;
  /** Whether somebody reads `out` on a screen, so that wide values may be cut. Defaults to false. */
  readonly isScreen?: boolean;
  /** Findings and failures. */
  readonly err: (text: string) => void;
  /** Puts one line that takes the place of the last one, and goes with the empty text; absent where nobody looks. */
  readonly progress?: (line: string) => void;
  /** Text for `err` in a colour, where there is somebody to see it. */
  readonly paint: (colour: Colour, text: string) => string;
}

/** The process's own streams. Colour is for a terminal alone, and not with NO_COLOR. */
export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  // Undefined where it is none, whatever the types say.
  isScreen: Boolean(process.stdout.isTTY),
  err: (text) => void process.stderr.write(text),
  ...(process.stderr.isTTY && {
    progress: (line: string) => void process.stderr.write(`\r\u001b[K${line}`),
  }),
  paint: (colour, text) =>
    // An empty NO_COLOR counts for nothing, as its convention says; Node asks for its presence alone.
    process.stderr.isTTY && !process.env["NO_COLOR"]
      ? styleText(colour, text, { validateStream: false })
      : text,
};

/** One JSON value as a result. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

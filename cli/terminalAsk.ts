import { createInterface } from "node:readline/promises";

/** Asks one question and gives the answer, or what stands in for an empty one. */
export type Ask = (question: string, otherwise: string) => Promise<string>;

/** Undefined where nobody can answer. */
export function terminalAsk(): Ask | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return async (question, otherwise) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const text = await lines.question(`${question}${otherwise === "" ? "" : ` [${otherwise}]`}: `);
      return text.trim() || otherwise;
    } finally {
      lines.close();
    }
  };
}

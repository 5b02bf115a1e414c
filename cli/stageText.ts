import type { Gate } from "../stages/index.ts";
import { printable } from "../values/show.ts";
import type { Terminal } from "./terminal.ts";

const signs = { passes: "+", stops: "-", passedOver: "!" } as const;

/** A line a gate, with what was seen: `+ ready: test: 12 of 12 ready, 0 failing`. */
export function gatesText(gates: readonly Gate[], { paint }: Pick<Terminal, "paint">): string {
  const width = Math.max(0, ...gates.map(({ gate }) => gate.length));
  return gates
    .map(({ gate, state, text }) => {
      const head = `${signs[state]} ${gate.padEnd(width)}  `;
      const body = text
        .split("\n")
        .map(printable)
        .join(`\n${" ".repeat(head.length)}`);
      const line = `${head}${body}\n`;
      return state === "stops" ? paint("red", line) : state === "passedOver" ? paint("yellow", line) : line;
    })
    .join("");
}

import type { BuiltOptions } from "../checks/built/index.ts";
import type { Terminal } from "./terminal.ts";

/** Builds that take no time are not worth a word. */
const patience = 1_000;

/** Says on a terminal how far the builds are, and takes that away at their end. */
export function buildProgress({ progress }: Terminal, now: () => number = Date.now): BuiltOptions {
  if (progress === undefined) return {};
  const start = now();
  let isShown = false;
  return {
    onProgress(done, of) {
      if (done < of && now() - start > patience) {
        progress(`Building what the sets apply: ${done} of ${of}`);
        isShown = true;
      } else if (isShown) {
        progress("");
        isShown = false;
      }
    },
  };
}

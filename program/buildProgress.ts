import { closeSync, openSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

/** Builds that take no time are not worth a word. */
const patience = 2_000;

/** Says how far the builds are, where somebody looks: the engine would put it into the log of a CI system too. */
export function buildProgress(
  isWatched = hasTerminal(process.env),
): ((done: number, of: number) => void) | undefined {
  if (!isWatched) return undefined;
  const start = Date.now();
  let said = start;
  return (done, of) => {
    const now = Date.now();
    if (now - start < patience || now - said < 500 || done === of) return;
    said = now;
    void pulumi.log.info(`Building what the sets apply: ${done} of ${of}`, undefined, undefined, true);
  };
}

/** Whether the run was started on a terminal. The program's own streams never are one. */
function hasTerminal(env: NodeJS.ProcessEnv): boolean {
  if (env["CI"]) return false;
  try {
    closeSync(openSync("/dev/tty", "w"));
    return true;
  } catch {
    return false;
  }
}

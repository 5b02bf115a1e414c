import type { ExitCode } from "./exitCodes.ts";
import { exitCodeOf } from "./fleetCommand.ts";
import { json, type Terminal } from "./terminal.ts";

/**
 * Runs a command that does what it can without a sound fleet file; an error that is for people ends it in order. `empty`
 * stands in with --json for the answer that there is none of.
 */
export async function toldCommand(
  options: { readonly json?: boolean },
  terminal: Terminal,
  run: () => Promise<ExitCode>,
  empty: Readonly<Record<string, unknown>> = {},
): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    const code = exitCodeOf(error);
    if (code === undefined) throw error;
    const { message } = error as Error;
    if (options.json) terminal.out(json({ ...empty, error: message }));
    else terminal.err(`${message}\n`);
    return code;
  }
}

import { CommanderError } from "commander";
import { hideUserInfo, killAll } from "../git/index.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { hideArguments } from "./hideCredentials.ts";
import { arcfluxProgram } from "./program.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** Runs one command line (without `node` and the script) and returns its exit code. */
export async function run(args: readonly string[], terminal: Terminal = processTerminal): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  // A URL may be typed, with its credentials, where none belongs: every message would repeat it. A result may hold URLs
  // that are none of the arguments, and those stay as they are.
  const out = (text: string): void => terminal.out(hideArguments(text, args));
  const err = (text: string): void => terminal.err(hideUserInfo(hideArguments(text, args)));
  const program = arcfluxProgram({ ...terminal, out, err }, (ended) => (code = ended));
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander's own code is 0 for --help and 1 for wrong usage.
    return error.exitCode === 0 ? exitCodes.done : exitCodes.input;
  }
  return code;
}

/** Runs the command line of this process, and sets its exit code. */
export async function start(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      // `arcflux render | head` closes the pipe early, which is no failure.
      if (code === "EPIPE") process.exit();
      if (stream === process.stdout)
        process.stderr.write(`Standard output cannot be written (${code ?? message}).\n`);
      process.exit(exitCodes.failed);
    });
  }
  // Elsewhere a guard ends git and removes its folder, so that a signal ends this process at once: a listener would wait for
  // whatever is computed. Windows has no such guard.
  if (process.platform === "win32") {
    process.once("SIGINT", () => {
      killAll();
      process.exit(130);
    });
  }
  process.exitCode = await run(process.argv.slice(2));
}

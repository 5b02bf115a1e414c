#!/usr/bin/env node
import { realpathSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { render, type RenderOptions } from "./render.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { validate, type ValidateOptions } from "./validate.ts";

/** Runs one command line (without `node` and the script) and returns its exit code. */
export async function run(args: readonly string[], terminal: Terminal = processTerminal): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const program = new Command("arcflux")
    .description(
      "Checks and renders the fleet file of an Arcflux project. Neither command changes a repository or a cluster.",
    )
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError("Run arcflux --help, or arcflux help <command>, to see what there is.")
    .addHelpText("after", "\nExit codes: 0 done, 1 failed, 2 wrong usage or a fleet file with errors.");

  program
    .command("validate")
    .description("Say everything that is wrong with a fleet file, each with its line and column.")
    .argument("[file]", "the fleet file", "fleet.yaml")
    .option("--json", "print the findings as JSON on standard output")
    .addHelpText("after", examples("arcflux validate", "arcflux validate stores/fleet.yaml --json"))
    .action(async (file: string, options: ValidateOptions) => {
      code = await validate(file, options, terminal);
    });

  program
    .command("render")
    .description("Print the files that an update commits, as one YAML stream, or write them below a folder.")
    .argument("[file]", "the fleet file", "fleet.yaml")
    .option(
      "--cluster <name>",
      "only this cluster; may be given several times",
      (name: string, names: string[] = []) => [...names, name],
    )
    .option("--out <dir>", "write the files below this folder, under their paths in the repository")
    .option("--json", "print the files and findings as JSON on standard output")
    .addHelpText(
      "after",
      examples(
        "arcflux render --cluster edge-device-0",
        "arcflux render fleet.yaml --out rendered",
        "arcflux render --json",
      ),
    )
    .action(async (file: string, options: RenderOptions) => {
      code = await render(file, options, terminal);
    });

  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander's own code is 0 for --help and 1 for wrong usage.
    return error.exitCode === 0 ? exitCodes.done : exitCodes.input;
  }
  return code;
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}

/** Whether this file was started, not imported; import.meta.main is younger than the oldest Node that is supported. */
function isStarted(): boolean {
  const script = process.argv[1];
  return script !== undefined && realpathSync(script) === import.meta.filename;
}

if (isStarted()) {
  // `arcflux render | head` closes the pipe early, which is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  process.exitCode = await run(process.argv.slice(2));
}

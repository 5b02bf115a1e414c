import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { ExitCode } from "./exitCodes.ts";
import type { Terminal } from "./terminal.ts";

/* What the commands have in common. Each command is a file that registers itself. */

/** Adds a command to the program; `done` takes the code that it ends with. */
export type Register = (program: Command, terminal: Terminal, done: (code: ExitCode) => void) => void;

export const fleetFile = (): Argument => new Argument("[file]", "the fleet file").default("fleet.yaml");

/** An empty value, such as of a variable that is not set, would be taken for the current folder. */
export function notEmpty(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It is empty; give a value, or leave it out.");
  return value;
}

/** Each use adds one more. */
export const clusterOption = (): Option =>
  new Option("--cluster <name>", "only this cluster; may be given several times").argParser(
    (name: string, names: readonly string[] = []) => [...names, name],
  );

/** Each use adds one more name. */
export const listed = (name: string, names: readonly string[] = []): readonly string[] => [
  ...names,
  notEmpty(name),
];

/** A command with its examples at the end of its help. */
export function command(
  program: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  return program
    .command(name)
    .description(description)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
}

/** `key=value`; each use adds one more. */
export function labelled(
  text: string,
  labels: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, key, value] = /^([^=\s]+)=([^\s]*)$/.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw new InvalidArgumentError("It is not a label; write key=value, such as region=north.");
  return { ...labels, [key]: value };
}

import { type Command, InvalidArgumentError, Option } from "commander";
import { clusterOption, fleetFile } from "./command.ts";

/** Options of the commands that ask about clusters. */
export function withChoice(command: Command): Command {
  return command
    .addArgument(fleetFile())
    .addOption(clusterOption())
    .option("--stage <stage>", "only the clusters of this stage")
    .addOption(
      new Option(
        "--label <key=value>",
        "only clusters with this label; may be given several times",
      ).argParser(label),
    );
}

function label(
  text: string,
  labels: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, key, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError("Write a label as key=value, such as kind=store.");
  }
  return { ...labels, [key]: value };
}

/** `--timeout`, with its default as one writes it. */
export function timeoutOption(description: string, usual: string): Option {
  return new Option("--timeout <duration>", description).argParser(seconds).default(seconds(usual), usual);
}

/** Longer than any wait makes sense, and far less than timers can count. */
const longest = 7 * 24 * 3600;

/** Seconds of a duration, such as `90s`, `30m` or `1h`. */
function seconds(text: string): number {
  const [, number, unit] = /^(\d+)(s|m|h)$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Write a duration such as 90s, 30m or 1h.");
  const value = Number(number) * (unit === "h" ? 3600 : unit === "m" ? 60 : 1);
  if (value > longest) throw new InvalidArgumentError("It is longer than a week; write at most 168h.");
  return value;
}

export function percent(text: string): number {
  const [, number] = /^(\d{1,3}(?:\.\d+)?)%?$/.exec(text) ?? [];
  const value = Number(number);
  if (!(value >= 0 && value <= 100)) throw new InvalidArgumentError("Write a share such as 95%.");
  return value;
}

export function count(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("Write a whole number, such as 0.");
  return Number(text);
}

import type { Command } from "commander";
import { arcfluxProgram } from "../../cli/program.ts";

const program = arcfluxProgram(
  { out: () => undefined, err: () => undefined, paint: (_, text) => text },
  () => undefined,
);

/** Code of a page in Markdown: its blocks line by line, and what stands between backticks. */
export function codeOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, text = ""]) =>
    text.split("\n"),
  );
  const prose = page.replace(/^```[^\n]*\n[\s\S]*?^```/gm, "");
  return [...blocks, ...[...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code)];
}

/** What is wrong with the command lines of arcflux in a text: commands and options that the command does not have. */
export function commandFaults(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [, rest] =
      /(?:^|[\s"'(;|$])arcflux (?:-- )?([a-z][a-z-]*(?:[ \t].*)?)$/.exec(line.replace(/\s+#.*$/, "")) ?? [];
    if (rest === undefined || isProse(line)) return [];
    const words = rest
      .split(/[|;&>]/)[0]!
      .trim()
      .split(/\s+/);
    let command: Command = program;
    while (command.commands.length > 0 && words.length > 0) {
      const sub = command.commands.find(
        (each) => each.name() === words[0] || each.aliases().includes(words[0] ?? ""),
      );
      // A group may do something of its own too.
      if (sub === undefined && command.registeredArguments.length > 0) break;
      if (sub === undefined) return words[0] === "help" ? [] : [`no command: ${line}`];
      command = sub;
      words.shift();
    }
    const options = words.flatMap((word) => /^\[*(--[a-z][a-z-]*)/.exec(word)?.[1] ?? []);
    const known = [...command.options.map(({ long }) => long), "--help", "--version"];
    return options
      .filter((option) => !known.includes(option))
      .map((option) => `no option ${option}: ${line}`);
  });
}

/** A sentence in a comment of a script, a name of a workflow, a clone of that name. */
function isProse(line: string): boolean {
  return /^\s*#/.test(line) || /^\s*- (uses|name):/.test(line) || /\bgit -C /.test(line);
}

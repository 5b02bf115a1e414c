import { readFile, writeFile } from "node:fs/promises";
import { inOrder, type Finding } from "../fleet/finding.ts";
import { commentOnce } from "../git/index.ts";
import {
  annotations,
  codeQuality,
  marker,
  type Part,
  pipelineOf,
  type Pipeline,
  readPreview,
  reviewText,
  violationFindings,
} from "../review/index.ts";
import { command, fleetFile, listed, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { UsageError } from "./fleetCommand.ts";
import { loadFleetFile } from "./loadFleetFile.ts";
import { json, type Terminal } from "./terminal.ts";
import { toldCommand } from "./toldCommand.ts";

interface CommentOptions {
  readonly findings?: string;
  readonly preview?: string;
  readonly part: readonly string[];
  readonly note: readonly string[];
  readonly codeQuality?: string;
  readonly out?: string;
  readonly json?: boolean;
}

export const registerComment: Register = (program, terminal, done) => {
  command(program, "comment", "Say in one comment of a pull request what it will do, and what is wrong.", [
    "arcflux comment --findings findings.json --part 'On clusters=diff.md'",
    "arcflux comment --findings findings.json --preview events.json --out comment.md",
  ])
    .addArgument(fleetFile())
    .option("--findings <file>", "what `arcflux validate --json` printed", notEmpty)
    .option(
      "--preview <file>",
      "what `PULUMI_DEBUG_COMMANDS=1 pulumi preview --event-log <file>` wrote",
      notEmpty,
    )
    .option("--part <title=file>", "Markdown to fold in; may be given several times", listed, [])
    .option("--note <text>", "a line on top; may be given several times", listed, [])
    .option("--code-quality <file>", "write findings there as GitLab's code quality report", notEmpty)
    .option("--out <file>", "write the comment there, and post nothing", notEmpty)
    .option("--json", "print what became of it as JSON on standard output")
    .action(async (file: string, options: CommentOptions) => done(await comment(file, options, terminal)));
};

/** `arcflux comment`: what the steps of a pipeline found, in one comment that is updated, and at the lines of the change. */
export function comment(file: string, options: CommentOptions, terminal: Terminal): Promise<ExitCode> {
  return toldCommand(options, terminal, async () => {
    const pipeline = pipelineOf(process.env);
    const preview = options.preview === undefined ? undefined : readPreview(await read(options.preview));
    const { fleet, finding } = await loadFleetFile(file);
    const violations = violationFindings(preview?.violations ?? [], fleet ?? { clusters: [] }, finding);
    const findings = inOrder([...(await findingsOf(options.findings)), ...violations]);
    const parts = await Promise.all(options.part.map(readPart));
    const text = reviewText({ findings, preview, parts, notes: options.note });
    if (options.codeQuality !== undefined) await writeFile(options.codeQuality, codeQuality(findings));
    const outcome = await publish(text, options.out, pipeline);
    if (options.json) terminal.out(json({ outcome, findings }));
    else {
      for (const line of pipeline === undefined ? [] : annotations(findings, pipeline.host))
        terminal.out(`${line}\n`);
      terminal.err(`${said(outcome, options.out)}\n`);
    }
    return exitCodes.done;
  });
}

type Outcome = "written" | "made" | "changed" | "same";

async function publish(
  text: string,
  out: string | undefined,
  pipeline: Pipeline | undefined,
): Promise<Outcome> {
  if (out !== undefined) {
    await writeFile(out, `${marker}\n${text}`);
    return "written";
  }
  if (pipeline?.number === undefined)
    throw new UsageError(
      "This is no pipeline of a pull request, so there is nowhere to comment. Write it to a file with --out.",
    );
  const { number, ...place } = pipeline;
  return commentOnce({ ...place, number, marker, text }, { env: process.env });
}

function said(outcome: Outcome, out = ""): string {
  switch (outcome) {
    case "written":
      return `The comment is in ${out}.`;
    case "made":
      return "The pull request has the comment.";
    case "changed":
      return "The comment of the pull request says what is so now.";
    case "same":
      return "The comment of the pull request says so already.";
  }
}

async function readPart(given: string): Promise<Part> {
  const [, title, path] = /^([^=]+)=(.+)$/.exec(given) ?? [];
  if (title === undefined || path === undefined)
    throw new UsageError(`--part ${given} is no title and file. Write it as 'On clusters=diff.md'.`);
  return { title, text: await read(path) };
}

/** Of a validation that got no further than an error there is that error. */
async function findingsOf(path: string | undefined): Promise<readonly Finding[]> {
  if (path === undefined) return [];
  const text = await read(path);
  try {
    const { findings = [], error } = JSON.parse(text) as { findings?: Finding[]; error?: string };
    const failed = { severity: "error", file: "", line: 0, column: 0, path: "" } as const;
    return error === undefined ? findings : [...findings, { ...failed, message: error }];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(
      `${path} is not what arcflux validate --json prints. Run that into it, then this again.`,
    );
  }
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be read (${code}). Run the step that writes it, then this again.`);
  }
}

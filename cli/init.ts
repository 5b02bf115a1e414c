import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { Option } from "commander";
import {
  ciHosts,
  isInstalled,
  mergedManifest,
  type ProjectAnswers,
  projectFiles,
} from "../authoring/index.ts";
import { type Platform, platforms } from "../fleet/model.ts";
import { urlFault } from "../values/repositoryUrl.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { json, type Terminal } from "./terminal.ts";
import { replaceFile, WriteError } from "./writeFiles.ts";
import { writeNew } from "./writeNew.ts";

interface InitOptions {
  readonly repository?: string;
  readonly platform?: Platform;
  readonly resourceGroup?: string;
  readonly location?: string;
  readonly ci?: ProjectAnswers["ci"];
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Asks one question and gives the answer, or what stands in for an empty one. */
export type Ask = (question: string, otherwise: string) => Promise<string>;

export const registerInit: Register = (program, terminal, done) => {
  command(program, "init", "Lay out a Pulumi project for a fleet in a folder; nothing is written over.", [
    "arcflux init",
    "arcflux init edge --yes --repository https://git.example.com/edge/fleet.git --ci github",
  ])
    .argument("[folder]", "folder of the project", ".")
    .option("--repository <url>", "the GitOps repository, without credentials", notEmpty)
    .addOption(
      new Option(
        "--platform <platform>",
        "arc: through Azure; kubernetes: Flux runs there; none: neither",
      ).choices(platforms),
    )
    .option("--resource-group <name>", "Azure resource group of the clusters", notEmpty)
    .option("--location <region>", "Azure region", notEmpty)
    .addOption(new Option("--ci <host>", "whose pipelines to write").choices([...ciHosts, "none"]))
    .option("--yes", "ask nothing")
    .option("--json", "print what was written as JSON on standard output")
    .action(async (folder: string, options: InitOptions) => done(await init(folder, options, terminal)));
};

/** `arcflux init`: 0 written, 1 could not be written, 2 something is in the way. */
export async function init(
  folder: string,
  { json: asJson = false, ...options }: InitOptions,
  terminal: Terminal,
  ask: Ask | undefined = terminalAsk(),
): Promise<ExitCode> {
  const say = (message: string, code: ExitCode): ExitCode => {
    if (asJson) terminal.out(json({ written: [], error: message }));
    else terminal.err(`${message}\n`);
    return code;
  };
  if (options.yes !== true && ask === undefined)
    return say("There is no terminal to ask on. Give --yes with --repository URL.", exitCodes.input);
  const answers = await answersOf(folder, options, options.yes === true ? undefined : ask);
  const fault = urlFault(answers.repository);
  if (fault !== undefined) return say(`The URL of the repository ${fault}.`, exitCodes.input);

  const files = projectFiles(answers);
  const there = new Map<string, string>();
  try {
    for (const path of files.keys()) {
      const text = await textOf(join(folder, path));
      if (text !== undefined) there.set(path, text);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const what = code === "ENOTDIR" ? "is not a folder" : `has files that cannot be read (${code})`;
    return say(`${folder} ${what}. Nothing is written; name another folder.`, exitCodes.input);
  }
  const faults = [...there].flatMap(([path, text]) => {
    const wanted = files.get(path)?.text ?? "";
    if (path !== "package.json") return text === wanted ? [] : [`${path} is there already`];
    const merged = manifestOf(text, wanted);
    return typeof merged === "string" ? [] : [merged.fault];
  });
  if (faults.length > 0)
    return say(
      `Nothing is written:\n  ${faults.join("\n  ")}\nMove it away, or name another folder.`,
      exitCodes.input,
    );

  const written: string[] = [];
  try {
    for (const [path, { text, isExecutable }] of files) {
      const before = there.get(path);
      if (before === undefined) await writeNew(join(folder, path), text, { isExecutable });
      else if (path === "package.json")
        await replaceFile(join(folder, path), manifestOf(before, text) as string);
      else continue;
      written.push(path);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof WriteError) return say(message, exitCodes.failed);
    if (code === undefined) throw error;
    return say(`package.json cannot be written (${code}).`, exitCodes.failed);
  }
  if (asJson) terminal.out(json({ folder, written }));
  else terminal.out(endText(folder, written));
  return exitCodes.done;
}

async function answersOf(
  folder: string,
  options: InitOptions,
  ask: Ask | undefined,
): Promise<ProjectAnswers> {
  const answer = async (given: string | undefined, question: string, otherwise: string): Promise<string> =>
    given ?? (ask === undefined ? otherwise : await ask(question, otherwise));
  const oneOf = async <T extends string>(
    given: T | undefined,
    question: string,
    allowed: readonly T[],
  ): Promise<T> => {
    const [first] = allowed;
    const text = await answer(given, `${question} (${allowed.join(", ")})`, first!);
    return allowed.find((one) => one === text) ?? first!;
  };
  const repository = await answer(
    options.repository,
    "URL of the GitOps repository, without credentials",
    "",
  );
  const platform = await oneOf(options.platform, "Platform", platforms);
  const isArc = platform === "arc";
  const inAzure = isArc ? ask : undefined;
  const azure = async (given: string | undefined, question: string, otherwise: string): Promise<string> =>
    given ?? (inAzure === undefined ? otherwise : await inAzure(question, otherwise));
  return {
    name: projectName(folder),
    repository,
    platform,
    resourceGroup: await azure(options.resourceGroup, "Azure resource group", "rg-edge"),
    location: await azure(options.location, "Azure region", "westeurope"),
    ci: await oneOf(options.ci, "Pipelines for", ["none", ...ciHosts]),
  };
}

/** Of the folder, in the letters that Pulumi takes. */
function projectName(folder: string): string {
  return (
    basename(resolve(folder))
      .replace(/[^A-Za-z0-9_.-]+/g, "-")
      .replace(/^[^A-Za-z0-9]+/, "") || "fleet"
  );
}

function manifestOf(there: string, wanted: string): string | { readonly fault: string } {
  try {
    return mergedManifest(there, wanted);
  } catch {
    return { fault: "package.json is not JSON" };
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

function endText(folder: string, written: readonly string[]): string {
  const into = folder === "." ? "" : `cd ${folder}\n  `;
  const install = isInstalled(folder) ? "" : "npm install\n  ";
  return [
    ...written.map((path) => `  ${path}`),
    "",
    "Next:",
    `  ${into}${install}npx arcflux add cluster store-001`,
    "",
  ].join("\n");
}

/** Undefined where nobody can answer. */
function terminalAsk(): Ask | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return async (question, otherwise) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const text = await lines.question(`${question}${otherwise === "" ? "" : ` [${otherwise}]`}: `);
      return text.trim() || otherwise;
    } finally {
      lines.close();
    }
  };
}

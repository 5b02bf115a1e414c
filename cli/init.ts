import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Option } from "commander";
import {
  ciHosts,
  isInstalled,
  mergedManifest,
  type ProjectAnswers,
  projectFiles,
} from "../authoring/index.ts";
import { replaceFile } from "../disk/wholeFile.ts";
import { type Platform, platforms } from "../fleet/model.ts";
import { type Rule, rules } from "../fleet/rules.ts";
import { urlFault } from "../values/repositoryUrl.ts";
import { show } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { UsageError } from "./fleetCommand.ts";
import { json, type Terminal } from "./terminal.ts";
import { type Ask, terminalAsk } from "./terminalAsk.ts";
import { WriteError } from "./writeFiles.ts";
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
  // The pipelines of a project that is there are laid beside it, and nothing has to be asked for them.
  const isThere = existsSync(join(folder, "fleet.yaml"));
  const isKnown = isThere && options.ci !== undefined && options.ci !== "none";
  if (options.yes !== true && !isKnown && ask === undefined)
    return say("There is no terminal to ask on. Give --yes with --repository URL.", exitCodes.input);
  const asked = options.yes === true || isKnown ? undefined : ask;
  const answers = await answersOf(folder, options, isKnown, { ask: asked, terminal }).catch(
    (error: unknown) => {
      if (error instanceof UsageError) return error;
      throw error;
    },
  );
  if (answers instanceof UsageError) return say(answers.message, exitCodes.input);

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
  // What there is of the project itself is the user's by then.
  const own =
    isThere && answers.ci !== "none"
      ? new Set(projectFiles({ ...answers, ci: "none" }).keys())
      : new Set<string>();
  const faults = [...there].flatMap(([path, text]) => {
    const wanted = files.get(path)?.text ?? "";
    if (own.has(path) && path !== "package.json") return [];
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
      const merged = path === "package.json" && before !== undefined ? manifestOf(before, text) : before;
      if (before === undefined) await writeNew(join(folder, path), text, { isExecutable });
      else if (merged !== before) await replaceFile(join(folder, path), merged as string);
      else continue;
      written.push(path);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof WriteError) return say(message, exitCodes.failed);
    if (code === undefined) throw error;
    return say(`package.json cannot be written (${code}).`, exitCodes.failed);
  }
  const kept = [...own].filter((path) => there.has(path) && !written.includes(path));
  if (asJson) terminal.out(json({ folder, written }));
  else terminal.out(endText(folder, written, kept));
  return exitCodes.done;
}

/** Who answers, and hears what was wrong with it. */
interface Asked {
  /** Absent where nobody is asked. */
  readonly ask: Ask | undefined;
  readonly terminal: Terminal;
}

interface Question {
  readonly text: string;
  /** The option that answers it. */
  readonly option: string;
  readonly otherwise: string;
  readonly faultOf: (answer: string) => string | undefined;
}

/** Throws UsageError for an answer that none may be. A project that is known needs no URL. */
async function answersOf(
  folder: string,
  options: InitOptions,
  isKnown: boolean,
  asked: Asked,
): Promise<ProjectAnswers> {
  const repository = await answerTo(
    {
      text: "URL of the GitOps repository, without credentials",
      option: "--repository URL",
      otherwise: "",
      faultOf: (url) => (isKnown && url === "" ? undefined : repositoryFault(url)),
    },
    options.repository,
    asked,
  );
  const platform = await choiceOf("Platform", "--platform", platforms, options.platform, asked);
  const inAzure = (text: string, option: string, otherwise: string, rule: Rule, given?: string) =>
    answerTo(
      { text, option, otherwise, faultOf: (name) => ruleFault(name, rule) },
      given,
      platform === "arc" ? asked : { ...asked, ask: undefined },
    );
  const { resourceGroup: group, location: region } = options;
  const resourceGroup = await inAzure(
    "Azure resource group",
    "--resource-group NAME",
    "rg-edge",
    rules.resourceGroup,
    group,
  );
  const location = await inAzure("Azure region", "--location REGION", "westeurope", rules.location, region);
  const ci = await choiceOf("Pipelines for", "--ci", ["none", ...ciHosts], options.ci, asked);
  return { name: projectName(folder), repository, platform, resourceGroup, location, ci };
}

/** One of a few, the first of them without an answer. */
async function choiceOf<T extends string>(
  text: string,
  option: string,
  allowed: readonly [T, ...T[]],
  given: T | undefined,
  asked: Asked,
): Promise<T> {
  const words = allowed.join(", ");
  const find = (answer: string): T | undefined => allowed.find((one) => one === answer);
  const faultOf = (answer: string) =>
    find(answer) === undefined ? `${show(answer)} is not allowed; write one of ${words}` : undefined;
  const question = { text: `${text} (${words})`, option, otherwise: allowed[0], faultOf };
  return find(await answerTo(question, given, asked)) ?? allowed[0];
}

/** Times that a question is asked; who does not answer it then needs more than a line. */
const mostTimes = 3;

async function answerTo(
  { text, option, otherwise, faultOf }: Question,
  given: string | undefined,
  { ask, terminal }: Asked,
): Promise<string> {
  for (let left = mostTimes; ; left--) {
    const answer = given ?? (await ask?.(text, otherwise)) ?? otherwise;
    const fault = faultOf(answer);
    if (fault === undefined) return answer;
    if (given !== undefined || ask === undefined || left === 1)
      throw new UsageError(`${fault}. Give it with ${option}.`);
    terminal.err(`${fault}.\n`);
  }
}

/** Without any of the URL, in which credentials may be. */
function repositoryFault(url: string): string | undefined {
  const fault = urlFault(url);
  return fault === undefined ? undefined : `The URL of the repository ${fault}`;
}

function ruleFault(answer: string, { pattern, allowed }: Rule): string | undefined {
  return pattern.test(answer) ? undefined : `${show(answer)} is not allowed; ${allowed}`;
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

function endText(folder: string, written: readonly string[], kept: readonly string[]): string {
  const into = folder === "." ? "" : `cd ${folder}\n  `;
  const install = isInstalled(folder) ? "" : "npm install\n  ";
  return [
    ...written.map((path) => `  ${path}`),
    ...(kept.length > 0 ? [`There already, and left alone: ${kept.join(", ")}.`] : []),
    "",
    "Next:",
    `  ${into}${install}npx arcflux add cluster store-001`,
    "",
  ].join("\n");
}

import { readFile } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { type Command, Option } from "commander";
import {
  type Addition,
  deviceLines,
  deviceScript,
  isDeviceScript,
  parseTable,
  planClusters,
  withEntries,
  withItem,
} from "../authoring/index.ts";
import { agentsModes, type Cluster, type Fleet } from "../fleet/model.ts";
import { show, showSome } from "../values/show.ts";
import { command, labelled, listed, notEmpty } from "./command.ts";
import { type EditOptions, editFleetFiles, NotIncluded, WouldFail } from "./editFleetFile.ts";
import type { ExitCode } from "./exitCodes.ts";
import { type Answer, fleetCommand, UsageError } from "./fleetCommand.ts";
import { plural } from "./report.ts";
import type { Terminal } from "./terminal.ts";
import { WriteError } from "./writeFiles.ts";

interface ClusterOptions {
  readonly file: string;
  readonly from?: string;
  readonly into?: string;
  readonly script?: string;
  readonly stage?: string;
  readonly agents?: string;
  readonly context?: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly set?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function registerAddCluster(add: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  command(add, "cluster", "Add one cluster, or all of a table that are not there yet.", [
    "arcflux add cluster store-001 --context store-001 --set infrastructure",
    "arcflux add cluster --from stores.csv --dry-run",
    "arcflux add cluster --from stores.csv --into stores/north.yaml --script connect.sh",
  ])
    .argument("[name]", "name of the cluster")
    .option("--stage <name>", "its stage", notEmpty)
    .addOption(
      new Option(
        "--agents <how>",
        "install: an update connects it to Azure Arc; present: it is connected",
      ).choices(agentsModes),
    )
    .option("--context <name>", "context of your kubeconfig", notEmpty)
    .option("--label <label>", "label, such as kind=store; may be given several times", labelled)
    .option("--set <name>", "a shared set that it takes; may be given several times", listed)
    .option("--from <table>", "clusters from a file of comma-separated values, with a column name", notEmpty)
    .option("--into <file>", "write them into this file, which is included then", notEmpty)
    .option("--script <file>", "write the commands that run on the devices into this shell script", notEmpty)
    .option("--dry-run", "show what would be added, and write nothing")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what was added as JSON on standard output")
    .action(async (name: string | undefined, options: ClusterOptions) =>
      done(await addCluster(name, options, terminal)),
    );
}

/** `arcflux add cluster`: changes the fleet file, and says what has to run on the devices. */
function addCluster(
  name: string | undefined,
  { file, into = file, script, dryRun = false, json = false, ...options }: ClusterOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { added: [], there: [] }, async ({ origin }) => {
    const declared = origin?.file.clusters ?? {};
    const { additions, there } =
      options.from === undefined
        ? { additions: [oneAddition(name, options, declared)], there: [] }
        : await fromTable(name, options.from, declared);
    const names = additions.map((one) => one.name);
    const some = showSome(names);
    const addsNone = (said: string): Answer => ({
      document: { file: into, added: [], there, wouldAdd: names },
      print: () => terminal.out(`${thereText(there)}${said}`),
    });
    if (names.length === 0) return addsNone("Nothing to add.\n");
    if (script !== undefined) await refuseOther(script);
    const beside = (fleet: Fleet): ReadonlyMap<string, string> =>
      new Map(
        script === undefined ? [] : [[script, deviceScript(fleet.clusters.filter(connectsItself))] as const],
      );
    const fleet = await writeClusters(file, into, additions, { beside, isTrial: dryRun }).catch(
      (error: unknown) => {
        throw error instanceof WouldFail ? withContexts(error, names) : error;
      },
    );
    if (dryRun) return addsNone(`${plural(names.length, "cluster")} would be added to ${into}: ${some}.\n`);
    const added = fleet.clusters.filter((cluster) => names.includes(cluster.name));
    return {
      isChanged: true,
      document: { file: into, added: names, there },
      print() {
        terminal.out(`${thereText(there)}${into}: ${plural(names.length, "cluster")} added (${some}).\n`);
        terminal.out(nextOf(added, script));
      },
    };
  });
}

/** Into a file of the fleet; one that no include names yet is named there. */
async function writeClusters(
  file: string,
  into: string,
  additions: readonly Addition[],
  options: EditOptions,
): Promise<Fleet> {
  const change = (text: string): string =>
    withClusters(text === "" ? schemaLine(file, into) : text, additions);
  const added = { into, names: additions.map(({ name }) => name) };
  try {
    return await editFleetFiles(file, new Map([[into, change]]), { ...options, added });
  } catch (error) {
    if (!(error instanceof NotIncluded)) throw error;
    const include = relative(dirname(file), into).split(sep).join("/");
    const named = (text: string): string => withItem(text, "include", include);
    return await editFleetFiles(
      file,
      new Map([
        [into, change],
        [file, named],
      ]),
      { ...options, added },
    );
  }
}

/** Of more than one cluster each needs a context of its own, which the first could do without. */
function withContexts({ message, errors }: WouldFail, added: readonly string[]): UsageError {
  const lacking = errors.flatMap(({ path, message: what }) =>
    what.startsWith("is missing") ? (/^clusters\.(.+)\.kubeconfig$/.exec(path)?.[1] ?? []) : [],
  );
  const own = lacking.filter((name) => added.includes(name));
  const others = lacking.filter((name) => !added.includes(name));
  return new UsageError(
    [
      message,
      ...(own.length > 0
        ? [`${showSome(own)} ${hasNo(own)} context: give --context NAME, or in a table the column context.`]
        : []),
      ...(others.length > 0
        ? [
            `${showSome(others)} of the fleet file ${hasNo(others)} context, which --context NAME gives to a new one alone: write kubeconfig: { context: NAME } there.`,
          ]
        : []),
    ].join("\n"),
  );
}

const hasNo = ({ length }: readonly string[]): string => (length > 1 ? "have no" : "has no");

/** A script may be written anew, and nothing else over what is there. */
async function refuseOther(script: string): Promise<void> {
  const text = await readFile(script, "utf8").catch(({ code }: NodeJS.ErrnoException) => {
    if (code === "ENOENT") return undefined;
    throw new WriteError(
      `${script} cannot be written (${code ?? "unknown error"}). Nothing was changed; name another file for --script.`,
    );
  });
  if (text !== undefined && !isDeviceScript(text))
    throw new UsageError(
      `${script} is there, and is no script of arcflux. Nothing was changed; name another file for --script.`,
    );
}

function oneAddition(
  name: string | undefined,
  { stage, agents, context, label, set }: Omit<ClusterOptions, "file">,
  declared: Readonly<Record<string, unknown>>,
): Addition {
  if (name === undefined) throw new UsageError("Say which: a name, or --from TABLE.");
  if (Object.hasOwn(declared, name))
    throw new UsageError(`The fleet file has a cluster ${show(name)} already. Change it there.`);
  const entry = {
    ...(stage !== undefined && { stage }),
    ...(label && { labels: label }),
    ...(agents !== undefined && { agents }),
    ...(context !== undefined && { kubeconfig: { context } }),
    ...(set && { sets: Object.fromEntries(set.map((one) => [one, {}])) }),
  };
  return { name, entry };
}

async function fromTable(
  name: string | undefined,
  path: string,
  declared: Readonly<Record<string, unknown>>,
) {
  if (name !== undefined) throw new UsageError("Give a name or --from TABLE, not both.");
  const text = await readFile(path, "utf8").catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${code ?? "unknown error"}); name a file of clusters.`);
  });
  const plan = planClusters(parseTable(text), declared);
  if (plan.faults.length > 0)
    throw new UsageError(
      [...plan.faults.map(({ line, message }) => `${path}:${line}: ${message}`), "Nothing was changed."].join(
        "\n",
      ),
    );
  return plan;
}

const withClusters = (text: string, additions: readonly Addition[]): string =>
  withEntries(
    text,
    "clusters",
    additions.map(({ name, entry }) => [name, entry]),
  );

/** The first line of a new file, so that an editor knows it: the schema as the fleet file names it, from there. */
function schemaLine(file: string, into: string): string {
  const schema = resolve(dirname(file), "node_modules/arcflux/fleet.schema.json");
  const path = relative(dirname(resolve(into)), schema)
    .split(sep)
    .join("/");
  return `# yaml-language-server: $schema=${path.startsWith(".") ? path : `./${path}`}\n`;
}

const thereText = (there: readonly string[]): string =>
  there.length === 0 ? "" : `There already: ${plural(there.length, "cluster")} (${showSome(there)}).\n`;

const connectsItself = ({ platform, agents }: Cluster): boolean => platform === "arc" && agents === "present";

/** Lines of commands that are shown; a script holds them all. */
const mostLines = 5;

function nextOf(added: readonly Cluster[], script: string | undefined): string {
  const lines = [...new Set(added.flatMap(deviceLines))];
  const onDevices =
    script !== undefined
      ? [`On each device: sh ${script} NAME`]
      : lines.length === 0
        ? []
        : [
            "On the device:",
            ...lines.slice(0, mostLines).map((line) => `  ${line}`),
            ...(lines.length > mostLines
              ? [`  … and ${lines.length - mostLines} more: --script FILE writes all`]
              : []),
          ];
  return [...onDevices, "Next: pulumi preview, then pulumi up.", ""].join("\n");
}

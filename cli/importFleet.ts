import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { type Imported, lineOf, proofLine } from "../import/index.ts";
import { command, notEmpty } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { hideCredentials } from "./hideCredentials.ts";
import { inputInAzure } from "./importAzure.ts";
import { ImportError, type Input, inputAt, inputOf } from "./importInput.ts";
import { json, type Terminal } from "./terminal.ts";

interface ImportOptions {
  readonly context?: string;
  readonly cluster?: string;
  readonly subscription?: string;
  readonly resourceGroup?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** `arcflux import`: a fleet file that renders to what clusters have today, and what it leaves out. */
export function registerImport(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  command(
    program,
    "import",
    "Print a fleet file for clusters that Flux runs on already, and name what it leaves out.",
    [
      "arcflux import clusters/edge-device-0            # in a clone of the repository",
      "arcflux import clusters --out fleet.yaml         # all clusters below it",
      "arcflux import --context edge-device-0           # what the cluster itself has",
      "arcflux import --subscription $ID --out fleet.yaml   # the Flux configurations that Azure has",
      "kubectl get kustomizations,gitrepositories -A -o yaml | arcflux import -",
    ],
  )
    .argument(
      "[folder]",
      "folder with clusters, as Flux applies them; a file or - for what kubectl get -o yaml prints",
    )
    .option("--context <name>", "ask the cluster of this context of your kubeconfig instead", notEmpty)
    .option("--subscription <id>", "ask Azure for all Flux configurations of this subscription", notEmpty)
    .option("--resource-group <name>", "with --subscription: those of one resource group", notEmpty)
    .option("--cluster <name>", "name of the cluster; with --context and lists", notEmpty)
    .option("--out <file>", "write the fleet file there; one that exists is left as it is", notEmpty)
    .option("--json", "print the fleet file and what was left out as JSON on standard output")
    .action(async (folder: string | undefined, options: ImportOptions) =>
      done(await importFleet(folder, options, terminal)),
    );
}

async function importFleet(
  folder: string | undefined,
  options: ImportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    const { imported, ...input } = await inputFor(folder, options);
    if (imported.clusters.length === 0) throw nothingFound(input, imported);
    if (options.out !== undefined) await save(options.out, imported.fleetYaml);
    print(imported, options, terminal);
    // The file is right for what is in it, and a cluster is missing.
    return imported.unbuilt > 0 ? exitCodes.failed : exitCodes.done;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    if (options.json) terminal.out(json({ ...documentOf(undefined), error: error.message }));
    else terminal.err(`${error.message}\n`);
    return error.code;
  }
}

async function inputFor(
  folder: string | undefined,
  { context, cluster, subscription, resourceGroup }: ImportOptions,
): Promise<Input> {
  const url = process.env["ARCFLUX_REPOSITORY_URL"];
  if (url && hideCredentials(url, url) !== url) {
    const next = "write the URL without them, since it goes into the fleet file";
    throw new ImportError(exitCodes.input, `ARCFLUX_REPOSITORY_URL has credentials in it; ${next}.`);
  }
  const options = url ? { repositoryUrl: url } : {};
  const given = [folder, context, subscription].filter((each) => each !== undefined);
  if (given.length === 1 && subscription !== undefined && cluster === undefined)
    return inputInAzure(subscription, resourceGroup, options);
  if (given.length === 1 && subscription === undefined && resourceGroup === undefined)
    return context === undefined ? inputAt(folder!, cluster, options) : inputOf(context, cluster, options);
  const ways =
    "Name a folder, a file, - for standard input, --context, or --subscription; one of them. --resource-group goes with --subscription alone, --cluster not with it.";
  throw new ImportError(exitCodes.input, ways);
}

function nothingFound({ what, next }: Omit<Input, "imported">, { notes }: Imported): ImportError {
  const message = `${what} has no cluster that could be taken: no Kustomization of Flux that is applied from there. ${next}.`;
  return new ImportError(exitCodes.input, [message, ...notes.map(lineOf)].join("\n"));
}

function print(imported: Imported, { json: asJson = false, out }: ImportOptions, terminal: Terminal): void {
  if (asJson) return terminal.out(json(documentOf(imported)));
  terminal.err(`${imported.summary}\n`);
  for (const note of imported.notes) terminal.err(`${lineOf(note)}\n`);
  const { equal, differ } = imported.proof;
  if (equal + differ.length > 0) terminal.err(`${proofLine(imported.proof)}\n`);
  terminal.out(out === undefined ? imported.fleetYaml : `${out} written.\n`);
}

function documentOf(imported: Imported | undefined) {
  const {
    fleetYaml = "",
    summary = "",
    clusters = [],
    sets = [],
    sources = [],
    notTaken = [],
    proof,
  } = imported ?? {};
  return {
    fleetFile: fleetYaml,
    summary,
    clusters,
    sets,
    sources,
    notTaken,
    proof: proof ?? { equal: 0, differ: [] },
  };
}

async function save(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason =
      code === "EEXIST"
        ? "exists already, and is left as it is; name another file"
        : `cannot be written (${code})`;
    throw new ImportError(exitCodes.failed, `${path} ${reason}.`);
  }
}

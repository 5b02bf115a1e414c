import { askGraph, azureRefusals, findInAzure, importFile } from "../existing/index.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { azureAccess, azureNext, azureWords, ClusterError } from "../status/index.ts";
import { chosenClusters } from "./askFleet.ts";
import { clusterOption, command, fleetFile, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { json, type Terminal } from "./terminal.ts";

interface ExistingOptions {
  readonly cluster?: readonly string[];
  readonly json?: boolean;
}

/** For all clusters together, in milliseconds. */
const patience = 120_000;

export const registerExisting: Register = (program, terminal, done) => {
  command(
    program,
    "existing",
    "Print the import file of Flux objects that Azure has already, for pulumi import.",
    [
      "arcflux existing > existing.json",
      "pulumi import --file existing.json --protect=false --generate-code=false",
    ],
  )
    .addArgument(fleetFile())
    .addOption(clusterOption())
    .option("--json", "print it with the findings as JSON on standard output")
    .action(async (file: string, options: ExistingOptions) => done(await existing(file, options, terminal)));
};

/** `arcflux existing`: what `pulumi import --file` takes over, and 1 where something of it cannot be. */
export function existing(
  file: string,
  { cluster, ...options }: ExistingOptions,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { importFile: { resources: [] } }, async ({ fleet }) => {
    const clusters = chosenClusters(fleet, cluster === undefined ? {} : { cluster }).filter(
      ({ platform }) => platform === "arc",
    );
    if (clusters.length === 0)
      throw new UsageError("None of these clusters is behind Azure. Name one with platform: arc.");
    const found = await ask(clusters, fleet, env).catch((error: unknown) => {
      const why = azureWords(error);
      throw new ClusterError(`Azure could not be asked: ${why}. ${azureNext(error)}, and run it again.`);
    });
    const foreign = new Map(
      [...found].flatMap(([name, { arcId, configuration }]) =>
        configuration?.isOurs === false ? [[name, { arcId, configuration }] as const] : [],
      ),
    );
    // `pulumi import` would put them under the default provider, which is another one than theirs.
    const elsewhere = new Set(clusters.filter(({ arc }) => arc.subscription).map(({ name }) => name));
    const left = [
      ...azureRefusals(foreign, () => false),
      ...[...found.keys()]
        .filter((name) => elsewhere.has(name))
        .map((name) => `${name} has an arc.subscription. Write \`adopt: true\` to take over what it has.`),
    ];
    const taken = importFile(new Map([...found].filter(([name]) => !elsewhere.has(name))));
    return {
      document: { importFile: taken, left },
      print: () => {
        for (const line of left) terminal.err(`${line}\n`);
        terminal.out(json(taken));
      },
      ...(left.length > 0 && { code: exitCodes.failed }),
    };
  });
}

async function ask(clusters: readonly Cluster[], { repository }: Fleet, env: NodeJS.ProcessEnv) {
  const access = await azureAccess(env);
  const signal = AbortSignal.timeout(patience);
  return findInAzure(clusters, await askGraph(clusters, access, signal), repository, access, signal);
}

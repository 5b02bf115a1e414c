import { isReached } from "../fleet/management.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type DeploymentOptions,
  deploymentsProgram,
  federatedSubjects,
  type Placement,
  placeClusters,
  readProject,
  stackPerLabel,
} from "../deployments/index.ts";
import { toYaml } from "../flux/yaml.ts";
import { hideUserInfo } from "../git/index.ts";
import { showSome } from "../values/show.ts";
import { command, fleetFile, notEmpty, type Register } from "./command.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

interface Options {
  readonly organization: string;
  readonly source: string;
  readonly branch: string;
  readonly folder: string;
  readonly project: string;
  readonly per?: string;
  readonly azureClientId?: string;
  readonly azureTenantId?: string;
  readonly azureSubscriptionId?: string;
  readonly agentPool?: string;
  readonly ttl: readonly string[];
  readonly json?: boolean;
}

/** Federated credentials that one app registration of Entra ID takes. */
const mostCredentials = 20;

export const registerDeployments: Register = (program, terminal, done) => {
  command(program, "deployments", "Write how Pulumi Deployments runs each stack, as a Pulumi program.", [
    "arcflux deployments --organization edge --source https://github.com/edge/fleet-program.git",
    "arcflux deployments --organization edge --source … --per region      # a stack per region",
  ])
    .addArgument(fleetFile())
    .requiredOption("--organization <name>", "organization of Pulumi Cloud", notEmpty)
    .requiredOption("--source <url>", "clone URL of the repository that holds the project", notEmpty)
    .option("--branch <name>", "branch that is deployed", notEmpty, "main")
    .option("--folder <path>", "folder of the project in that repository", notEmpty, ".")
    .option("--project <folder>", "folder of Pulumi.yaml and the stacks' config here", notEmpty, ".")
    .option(
      "--per <label>",
      "first make a stack per value of a label, per `stage` or per `cluster`",
      notEmpty,
    )
    .option("--azure-client-id <id>", "app registration that trusts Pulumi's tokens", notEmpty)
    .option("--azure-tenant-id <id>", "its tenant", notEmpty)
    .option("--azure-subscription-id <id>", "subscription of the clusters", notEmpty)
    .option("--agent-pool <id>", "pool of your own runners; else Pulumi's hosted ones", notEmpty)
    .option(
      "--ttl <stack=time>",
      "when a stack is destroyed, such as review=2026-12-24T18:00:00Z; may be given several times",
      (value: string, values: readonly string[]) => [...values, value],
      [],
    )
    .option("--json", "print what was written as JSON on standard output")
    .action(async (file: string, options: Options) => done(await deployments(file, options, terminal)));
};

/** `arcflux deployments`: writes config files of stacks that are missing, and deployments/Pulumi.yaml. */
function deployments(file: string, options: Options, terminal: Terminal): Promise<ExitCode> {
  const { project: folder, per, source, organization } = options;
  return fleetCommand(file, options, terminal, { written: [] }, async ({ fleet }) => {
    if (hideUserInfo(source) !== source)
      throw new UsageError(
        "--source has credentials in it. Leave them out: Pulumi Cloud has its own access.",
      );
    const made = per === undefined ? [] : await makeStacks(folder, stackPerLabel(fleet, per));
    const { name, stacks } = await readProject(folder);
    const { placed, faults } = placeClusters(fleet, stacks);
    if (stacks.length === 0)
      throw new UsageError(
        `${folder} has no Pulumi.<stack>.yaml. Make stacks with pulumi stack init, or with --per.`,
      );
    if (faults.length > 0) throw new UsageError(faults.join("\n"));
    const names = placed.map(({ stack }) => stack);
    const text = deploymentsProgram(names, settingsFrom(options, name, names));
    const path = join(folder, "deployments", "Pulumi.yaml");
    await mkdir(join(folder, "deployments"), { recursive: true });
    await writeFile(path, text);
    const subjects = names.flatMap((stack) => federatedSubjects(organization, name, stack));
    const notes = notesOf(placed, options, subjects.length);
    return {
      document: { written: [...made, path], stacks: names, subjects, notes },
      print() {
        for (const written of [...made, path]) terminal.out(`${written} written.\n`);
        for (const note of notes) terminal.err(`${note}\n`);
        if (options.azureClientId !== undefined)
          for (const subject of subjects) terminal.out(`  ${subject}\n`);
        terminal.out(
          `Next: cd ${join(folder, "deployments")}, pulumi stack init, pulumi config set --secret gitToken, pulumi up.\n`,
        );
      },
    };
  });
}

/** Config files for stacks that have none; what is there is left as it is. */
async function makeStacks(folder: string, stacks: ReadonlyMap<string, string>): Promise<string[]> {
  const made: string[] = [];
  for (const [name, clusters] of stacks) {
    const path = join(folder, `Pulumi.${name}.yaml`);
    const text = toYaml({ config: { "arcflux:clusters": clusters } }, `Clusters with ${clusters}`);
    try {
      await writeFile(path, text, { flag: "wx" });
      made.push(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return made;
}

function settingsFrom(options: Options, project: string, stacks: readonly string[]): DeploymentOptions {
  const { azureClientId: clientId, azureTenantId: tenantId, azureSubscriptionId: subscriptionId } = options;
  const some = [clientId, tenantId, subscriptionId].filter((id) => id !== undefined).length;
  if (some === 1 || some === 2)
    throw new UsageError(
      "--azure-client-id, --azure-tenant-id and --azure-subscription-id go together; give all three.",
    );
  const { organization, source, branch, folder, agentPool } = options;
  return {
    ...{ organization, project, source, branch, folder },
    ...(clientId && tenantId && subscriptionId && { azure: { clientId, tenantId, subscriptionId } }),
    ...(agentPool !== undefined && { agentPool }),
    ttl: new Map(options.ttl.map((each) => ttlOf(each, stacks))),
  };
}

function ttlOf(given: string, stacks: readonly string[]): readonly [string, string] {
  const [, stack = "", time = ""] = /^([^=]+)=(.+)$/.exec(given) ?? [];
  if (!stacks.includes(stack))
    throw new UsageError(`--ttl ${given} names no stack. Write STACK=TIME with one of ${showSome(stacks)}.`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(time) || Number.isNaN(Date.parse(time)))
    throw new UsageError(
      `--ttl ${given} has no time that is one. Write it in UTC, such as 2026-12-24T18:00:00Z.`,
    );
  return [stack, time];
}

/** What a person has to know before the first run. */
function notesOf(
  placed: readonly Placement[],
  { agentPool, azureClientId }: Options,
  subjects: number,
): string[] {
  const installing = placed.flatMap(({ clusters }) =>
    clusters.flatMap((cluster) =>
      isReached(cluster) && (cluster.platform === "arc" || cluster.kubeconfig !== undefined)
        ? cluster.name
        : [],
    ),
  );
  return [
    ...(installing.length > 0 && agentPool === undefined
      ? [
          `A hosted runner does not reach ${showSome(installing)} by kubeconfig. Connect them on the device and say agents: present, or name your runners with --agent-pool.`,
        ]
      : []),
    ...(azureClientId !== undefined && subjects > mostCredentials
      ? [
          `${subjects} federated credentials are needed, and an app registration takes ${mostCredentials}. Use a Pulumi ESC environment with azure-login instead, or several apps.`,
        ]
      : []),
  ];
}

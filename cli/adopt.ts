import {
  type ByHand,
  commandsOf,
  doStep,
  type InAzure,
  nextStep,
  readAzure,
  type Step,
  stockOf,
  whichFlux,
} from "../adopt/index.ts";
import type { Finding } from "../fleet/finding.ts";
import { type Cluster, type Fleet, fluxNamespace } from "../fleet/model.ts";
import { fluxInstanceGroup } from "../flux/fluxInstance.ts";
import {
  type AzureAccess,
  azureAccess,
  azureNext,
  azureWords,
  ClusterError,
  contextOf,
  type KubernetesApi,
  objectsOf,
} from "../status/index.ts";
import { printAdoption } from "./adoptText.ts";
import { namedSet, openApi } from "./clusterApi.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { type Answer, fleetCommand, type LoadedFleet, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";
import { verdict } from "./verdict.ts";

interface AdoptOptions {
  readonly file: string;
  readonly leave?: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export const registerAdopt: Register = (program, terminal, done) => {
  command(
    program,
    "adopt",
    "Bring a cluster that Flux runs on already to its new bootstrap: one step a call, no workload made anew.",
    [
      "arcflux adopt edge-1 --dry-run                   # the plan, with commands to do it by hand",
      "arcflux adopt edge-1                             # the next step; call it again for the one after",
      "arcflux adopt edge-1 --yes                       # also the last, which removes the old root",
    ],
  )
    .argument("<cluster>", "name of the cluster in the fleet file")
    .option("--dry-run", "print the next step with its commands, and do nothing")
    .option("--yes", "remove the old root, when that is the next step")
    .option(
      "--leave <name>",
      "a Kustomization or object that may go on without anything that applies it; may be given several times",
      (name: string, known: readonly string[] = []) => [...known, notEmpty(name)],
    )
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print the plan as JSON on standard output")
    .action(async (name: string, options: AdoptOptions) => done(await adopt(name, options, terminal)));
};

/** For what Azure is asked before a step, in milliseconds. */
const patience = 60_000;

/** `arcflux adopt`: looks at the cluster anew each time, and keeps nothing: a run that was killed is a run again. */
function adopt(name: string, options: AdoptOptions, terminal: Terminal): Promise<ExitCode> {
  return fleetCommand(options.file, options, terminal, { step: undefined }, async (loaded) => {
    const { fleet } = loaded;
    const cluster = namedSet(fleet, name, undefined);
    const api = await openApi(cluster);
    const bootstrap = `${cluster.config}-bootstrap`;
    const access = cluster.platform === "arc" ? await azureAccess(process.env) : undefined;
    const [azure, objects, controllers] = await Promise.all([
      access && inAzure(cluster, fleet, access),
      fluxObjects(api),
      api.list({ group: "apps", version: "v1", plural: "deployments" }, fluxNamespace),
    ]);
    const flux = whichFlux(cluster, { controllers, instances: objects.instances, ...(azure && { azure }) });
    const stock = stockOf(cluster, fleet.repository.url, objects, azure?.others);
    const step: Step =
      flux.refused === undefined
        ? nextStep(stock, bootstrap, options.leave ?? [])
        : { kind: "refused", reasons: [flux.refused] };
    const { arc, platform } = cluster;
    const by = {
      context: contextOf(cluster),
      bootstrap,
      windows: [...new Set(cluster.sets.flatMap(({ window }) => window ?? []))],
      ...(platform === "arc" && { arc }),
    } satisfies ByHand;
    const commands = commandsOf(step, by);
    const findings = await inTheWay(step, cluster, loaded, terminal);
    const isAsked = options.dryRun !== true && (step.kind !== "remove" || options.yes === true);
    const mayDo = isAsked && findings.length === 0;
    const did = mayDo ? await perform(step, cluster, { bootstrap, access }) : [];
    return {
      document: { cluster: name, flux: flux.by, stock, step, ...commands, done: did },
      print: () =>
        printAdoption(
          {
            ...{ name, bootstrap, flux: flux.by, stock, step, did, ...commands },
            isDryRun: options.dryRun === true,
            isBlocked: findings.length > 0,
          },
          terminal,
        ),
      findings,
      code: codeOf(step),
    } satisfies Answer;
  });
}

/**
 * What an update of the cluster would be refused for, by its repository. The way leads through one, so it is known before
 * anything is suspended for it. Rejects where the repository cannot be read.
 */
async function inTheWay(
  { kind }: Step,
  cluster: Cluster,
  loaded: LoadedFleet,
  terminal: Terminal,
): Promise<readonly Finding[]> {
  if (kind !== "letGo" && kind !== "update") return [];
  const { findings } = await verdict(loaded, { only: cluster, terminal });
  return findings.filter(({ severity }) => severity === "error");
}

/** What Azure has of a cluster: where it cannot be asked, nothing is known of what would go with it. */
async function inAzure(cluster: Cluster, { repository }: Fleet, access: AzureAccess): Promise<InAzure> {
  try {
    return await readAzure(cluster, repository, access, AbortSignal.timeout(patience));
  } catch (error) {
    const why = azureWords(error);
    throw new ClusterError(
      `Azure could not be asked about ${cluster.name}: ${why}. ${azureNext(error)}, and call again.`,
    );
  }
}

async function perform(
  step: Step,
  cluster: Cluster,
  { bootstrap, access }: { readonly bootstrap: string; readonly access: AzureAccess | undefined },
): Promise<string[]> {
  if (step.kind !== "letGo" && step.kind !== "remove") return [];
  const api = await objectsOf(contextOf(cluster));
  if (!("apply" in api))
    throw new UsageError(`Your kubeconfig has no context ${contextOf(cluster)}; add it.`);
  return doStep(step, { api, bootstrap, ...(access && { azure: access }) });
}

async function fluxObjects(api: KubernetesApi) {
  const kinds = [
    { group: "kustomize.toolkit.fluxcd.io", version: "v1", plural: "kustomizations" },
    { group: "source.toolkit.fluxcd.io", version: "v1", plural: "gitrepositories" },
    { group: fluxInstanceGroup, version: "v1", plural: "fluxinstances" },
    // Whatever may take a source; a version that the cluster does not know is none.
    { group: "helm.toolkit.fluxcd.io", version: "v2", plural: "helmreleases" },
    { group: "helm.toolkit.fluxcd.io", version: "v2beta2", plural: "helmreleases" },
    { group: "source.toolkit.fluxcd.io", version: "v1", plural: "helmcharts" },
    { group: "image.toolkit.fluxcd.io", version: "v1", plural: "imageupdateautomations" },
    { group: "image.toolkit.fluxcd.io", version: "v1beta2", plural: "imageupdateautomations" },
  ];
  const [kustomizations = [], gitRepositories = [], instances = [], ...takers] = await Promise.all(
    kinds.map((kind) => api.list(kind)),
  );
  return { kustomizations, gitRepositories, instances, takers: takers.flat() };
}

function codeOf({ kind }: Step): ExitCode {
  if (kind === "refused") return exitCodes.failed;
  return kind === "wait" ? exitCodes.behind : exitCodes.done;
}

import type { Cluster } from "../fleet/model.ts";
import { commandsOf, doStep, nextStep, type Step, type Stock, stockOf } from "../adopt/index.ts";
import { contextOf, type KubernetesApi, objectsOf } from "../status/index.ts";
import { plural } from "./report.ts";
import { showNames } from "../values/show.ts";
import { namedSet, openApi } from "./clusterApi.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { type Answer, fleetCommand, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

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
      "a Kustomization that may go on without anything that applies it; may be given several times",
      (name: string, known: readonly string[] = []) => [...known, notEmpty(name)],
    )
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print the plan as JSON on standard output")
    .action(async (name: string, options: AdoptOptions) => done(await adopt(name, options, terminal)));
};

/** `arcflux adopt`: looks at the cluster anew each time, and keeps nothing: a run that was killed is a run again. */
function adopt(name: string, options: AdoptOptions, terminal: Terminal): Promise<ExitCode> {
  return fleetCommand(options.file, options, terminal, { step: undefined }, async ({ fleet }) => {
    const cluster = namedSet(fleet, name, undefined);
    if (cluster.platform !== "kubernetes") throw new UsageError(notOnArc(cluster));
    const api = await openApi(cluster);
    const bootstrap = `${cluster.config}-bootstrap`;
    const stock = stockOf(cluster, await fluxObjects(api));
    const step = nextStep(stock, bootstrap, options.leave ?? []);
    const commands = commandsOf(step, { context: contextOf(cluster), bootstrap });
    const mayDo = options.dryRun !== true && (step.kind !== "remove" || options.yes === true);
    const did = mayDo ? await perform(step, cluster, bootstrap) : [];
    return {
      document: { cluster: name, stock, step, ...commands, done: did },
      print: () =>
        print(
          { stock, step, did, ...commands },
          { name, bootstrap, dryRun: options.dryRun === true },
          terminal,
        ),
      code: codeOf(step),
    } satisfies Answer;
  });
}

/** Flux from the extension brings controllers of its own, and two of them must not run in one namespace. */
function notOnArc({ name }: Cluster): string {
  return (
    `${name} is on Azure Arc, where the extension brings Flux's controllers itself; handing them over is not built yet. ` +
    `docs/guide/import.md has the way by hand.`
  );
}

async function perform(step: Step, cluster: Cluster, bootstrap: string): Promise<string[]> {
  if (step.kind !== "letGo" && step.kind !== "remove") return [];
  const api = await objectsOf(contextOf(cluster));
  if (!("apply" in api))
    throw new UsageError(`Your kubeconfig has no context ${contextOf(cluster)}; add it.`);
  return doStep(step, api, bootstrap);
}

async function fluxObjects(api: KubernetesApi) {
  const kinds = [
    { group: "kustomize.toolkit.fluxcd.io", version: "v1", plural: "kustomizations" },
    { group: "source.toolkit.fluxcd.io", version: "v1", plural: "gitrepositories" },
    { group: "fluxcd.controlplane.io", version: "v1", plural: "fluxinstances" },
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

interface Told {
  readonly stock: Stock;
  readonly step: Step;
  readonly did: readonly string[];
  readonly run: readonly string[];
  readonly undo: readonly string[];
}

function print(
  { stock, step, did, run, undo }: Told,
  {
    name,
    bootstrap,
    dryRun,
  }: { readonly name: string; readonly bootstrap: string; readonly dryRun: boolean },
  terminal: Terminal,
): void {
  const say = (line: string): void => terminal.out(`${line}\n`);
  for (const line of stockLines(stock, bootstrap)) say(line);
  if (step.kind === "refused") {
    for (const reason of step.reasons) terminal.err(`${reason}\n`);
    return;
  }
  say("");
  say(`Next: ${nextText(step, name, bootstrap)}`);
  for (const line of did) say(line);
  if (did.length === 0 && run.length > 0 && (dryRun || step.kind !== "wait"))
    for (const line of run) say(`  ${line}`);
  if (undo.length > 0) say(`To take it back:`);
  for (const line of undo) say(`  ${line}`);
  if (step.kind === "letGo" && did.length > 0) say(`Call arcflux adopt ${name} again for the step after.`);
}

function stockLines({ root, sets, alone, bootstrap }: Stock, name: string): string[] {
  const ours = sets.filter(({ owner }) => owner === name);
  const others = sets.filter(({ isThere, owner }) => isThere && owner !== name);
  const missing = sets.filter(({ isThere }) => !isThere).map((set) => set.name);
  const changed = others.filter(({ differs }) => differs.length > 0);
  return [
    root === undefined
      ? "No other root is left on the cluster."
      : `${root.name} applies ${root.path}${root.suspended ? ", suspended" : ""}${root.prune ? ", with prune" : ", without prune"}.`,
    `${name}: ${bootstrap.isThere ? (bootstrap.isReady ? "ready" : "not ready") : "not there yet"}; it owns ${ours.length} of ${plural(sets.length, "set") || "no sets"}.`,
    ...(missing.length > 0 ? [`New on the cluster: ${showNames(missing, 5)}.`] : []),
    ...changed.map((set) => `${set.name} changes when the bootstrap takes it: ${set.differs.join(", ")}.`),
    ...(alone.length > 0 && root !== undefined
      ? [`${root.name} also applies ${showNames(alone, 5)}: that stays, and nothing applies it any more.`]
      : []),
  ];
}

function nextText(step: Exclude<Step, { kind: "refused" }>, name: string, bootstrap: string): string {
  switch (step.kind) {
    case "letGo":
      return `suspend ${step.root.name} and switch its prune off, so that nothing it applied is deleted when it goes.`;
    case "update":
      return `run the update, which commits the sets of ${name} and makes ${bootstrap}. Then call this again.`;
    case "wait":
      return `wait: ${step.why}. Call this again.`;
    case "remove":
      return `remove ${step.root.name}${step.root.source === undefined ? "" : ` and GitRepository ${step.root.source}`}; what they applied stays. It is done with --yes.`;
    case "done":
      return `nothing. ${bootstrap} owns every set of ${name}; the old files may go from the repository.`;
  }
}

function codeOf({ kind }: Step): ExitCode {
  if (kind === "refused") return exitCodes.failed;
  return kind === "wait" ? exitCodes.behind : exitCodes.done;
}

import { InvalidArgumentError, Option } from "commander";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ApplyOutcome,
  type ApplyPlan,
  applyPlan,
  type ApplySource,
  planApply,
  takeOut,
} from "../apply/index.ts";
import { openBuilder } from "../build/index.ts";
import { EngineMissing } from "../checks/built/index.ts";
import { openRepository } from "../checks/openRepository.ts";
import { pinnedTrees } from "../checks/pinnedTrees.ts";
import { noFiles } from "../checks/applied/index.ts";
import type { Loaded } from "../fleet/load.ts";
import type { Cluster, Fleet, PlainMap } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { type ObjectApi, objectsOf } from "../status/index.ts";
import { harmless, printable, show, showNames } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { loadFleetOf, withRef } from "./fleetAtRef.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { gitContext } from "./gitContext.ts";
import { loadFleetFile } from "./loadFleetFile.ts";
import { secretsOf } from "./secretsFile.ts";
import { json, type Terminal } from "./terminal.ts";
import { toldCommand } from "./toldCommand.ts";

interface ApplyOptions {
  readonly file: string;
  readonly context: string;
  readonly repo?: string;
  readonly ref?: string;
  readonly variable?: Readonly<Record<string, string>>;
  readonly image?: Readonly<Record<string, string>>;
  readonly secretsFrom?: string;
  readonly without?: readonly string[];
  readonly json?: boolean;
}

interface DeleteOptions {
  readonly context: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const contextOption = (): Option =>
  new Option("--context <name>", "context of your kubeconfig; it is never guessed")
    .argParser(notEmpty)
    .makeOptionMandatory();

/** `NAME=VALUE`, each use one more. */
const pairs = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((text: string, known: Readonly<Record<string, string>> = {}) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined || value === "")
      throw new InvalidArgumentError("Write NAME=VALUE.");
    return { ...known, [name]: value };
  });

export const registerApply: Register = (program, terminal, done) => {
  command(
    program,
    "apply",
    "Apply the sets of a cluster without Flux, in order and with health: for tests and playgrounds.",
    [
      "arcflux apply e2e --context kind-e2e --repo .    # the working folder as it is",
      "arcflux apply e2e --context kind-e2e --image ui=registry.example.com/ui:4f2c1ab",
      "arcflux apply e2e --context kind-e2e --repo https://git.example.com/edge/fleet.git --ref e2e",
    ],
  )
    .argument("<cluster>", "name of the cluster in the fleet file")
    .addOption(contextOption())
    .option("--repo <path or URL>", "the repository, where it is not the fleet's own URL", notEmpty)
    .option(
      "--ref <branch, tag or commit>",
      "take fleet file and manifests from there, without a clone",
      notEmpty,
    )
    .addOption(pairs("--variable <name=value>", "over the cluster's own; may be given several times"))
    .addOption(pairs("--image <name=image>", "in place of an image, by its name or the last part of it"))
    .option(
      "--secrets-from <file>",
      "Secrets and ConfigMaps that Git does not have, or has encrypted",
      notEmpty,
    )
    .addOption(
      new Option("--without <set>", "leave a set out; may be given several times").argParser(
        (name: string, names: readonly string[] = []) => [...names, name],
      ),
    )
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what changed as JSON on standard output")
    .action(async (cluster: string, options: ApplyOptions) => done(await apply(cluster, options, terminal)));

  command(program, "delete", "Delete what `arcflux apply` made on a cluster, and nothing else.", [
    "arcflux delete e2e --context kind-e2e            # says what would go",
    "arcflux delete e2e --context kind-e2e --yes",
  ])
    .argument("<cluster>", "name of the cluster that was applied")
    .addOption(contextOption())
    .option("--yes", "delete it")
    .option("--json", "print what goes as JSON on standard output")
    .action(async (cluster: string, options: DeleteOptions) =>
      done(await deleteCluster(cluster, options, terminal)),
    );
};

const clock = { sleep: (milliseconds: number) => sleep(milliseconds), now: () => Date.now() };

/** `arcflux apply`: 0 all is there and healthy, 1 refused, 2 it cannot be applied, 4 not healthy in time. */
function apply(
  name: string,
  { file, json: isJson = false, ...options }: ApplyOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const empty = { cluster: name, changes: [], sets: [] };
  const answer = (at: { tree: ApplySource["tree"]; pinned: ApplySource["pinned"] } | undefined, load: Load) =>
    fleetCommand(
      file,
      { json: isJson },
      terminal,
      empty,
      async ({ fleet }) => {
        const clusters = [...fleet.clusters, ...fleet.withoutFlux];
        const [cluster] = selectClusters({ ...fleet, clusters }, { names: [name] });
        const found = await applied(cluster!, fleet, options, at, terminal);
        return {
          document: { ...empty, ...found.outcome, leftOut: Object.fromEntries(found.plan.leftOut) },
          print: () => terminal.out(applyText(name, found.plan, found.outcome)),
          code: codeOf(found.outcome),
        };
      },
      load,
    );
  const { ref, repo } = options;
  if (ref === undefined) return answer(undefined, loadFleetFile);
  const url = repo ?? process.env["ARCFLUX_REPOSITORY_URL"];
  if (url === undefined)
    return fleetCommand(file, { json: isJson }, terminal, empty, () => {
      throw new UsageError("--ref is a ref of a repository: name that with --repo URL.");
    });
  const there = (): Promise<ExitCode> =>
    withRef(url, ref, { env: process.env }, ({ tree, at, refs }) =>
      answer({ tree, pinned: pinnedTrees({ at, refs }) }, (path) => loadFleetOf(tree, path, ref)),
    );
  return toldCommand({ json: isJson }, terminal, there, { ...empty, findings: [] });
}

type Load = (file: string) => Promise<Loaded>;

async function applied(
  cluster: Cluster,
  fleet: Fleet,
  { context, repo, variable = {}, image = {}, secretsFrom, without = [] }: ApplyOptionsOf,
  at: Pick<ApplySource, "tree" | "pinned"> | undefined,
  { progress }: Terminal,
): Promise<{ readonly plan: ApplyPlan; readonly outcome: ApplyOutcome }> {
  const secrets = secretsFrom === undefined ? [] : await secretsOf(secretsFrom);
  const inputs = { variables: variable, images: image, secrets, without };
  const api = await objects(context);
  const builder = openBuilder();
  if ("kind" in builder) throw new EngineMissing(builder.message);
  const { follows: branch } = cluster;
  const plan = (source: Pick<ApplySource, "tree" | "pinned">): Promise<ApplyPlan> =>
    planApply(cluster, fleet, { ...source, branch }, inputs, builder, async (ref) => {
      return (await api.read(ref)) as PlainMap | undefined;
    });
  try {
    const { url } = fleet.repository;
    const found =
      at !== undefined
        ? await plan(at)
        : await openRepository(
            { location: repo ?? url, branch, follows: [branch] },
            gitContext(fleet),
            (trees) =>
              plan({
                tree: trees.followed.get(branch) ?? trees.committed ?? noFiles,
                pinned: pinnedTrees(trees),
              }),
          );
    const outcome = await applyPlan(found, { ...clock, api, ...(progress && { progress }) });
    progress?.("");
    return { plan: found, outcome };
  } finally {
    await builder.close();
  }
}

type ApplyOptionsOf = Omit<ApplyOptions, "file" | "json" | "ref">;

/** The cluster behind a context. Throws UsageError where the kubeconfig has none of that name. */
async function objects(context: string): Promise<ObjectApi> {
  const found = await objectsOf(context);
  if ("read" in found) return found;
  throw new UsageError(
    `Your kubeconfig has no context ${show(context)}. It has: ${showNames(found, 10) || "none"}. Set KUBECONFIG, or correct --context.`,
  );
}

function codeOf({ sets }: ApplyOutcome): ExitCode {
  if (sets.some(({ state }) => state === "refused")) return exitCodes.failed;
  return sets.every(({ state }) => state === "ready") ? exitCodes.done : exitCodes.behind;
}

const signs = { created: "+", changed: "~", deleted: "-" } as const;

function applyText(name: string, { leftOut }: ApplyPlan, { changes, sets, left }: ApplyOutcome): string {
  const count = (what: string): number => changes.filter((change) => change.what === what).length;
  const lines = [
    ...changes.flatMap(({ what, object, set }) =>
      what === "unchanged" ? [] : [`  ${signs[what]} ${object} (set ${set})`],
    ),
    ...[...leftOut].map(([set, why]) => `set ${set} is left out: ${why}`),
    ...left,
    ...sets.flatMap(({ set, state, why }) =>
      state === "ready" ? [] : [`set ${set} ${stateText[state]}`, ...why.map((one) => `  ${one}`)],
    ),
    `${name}: ${sets.filter(({ state }) => state === "ready").length} of ${sets.length} sets are ready; ${count("created")} created, ${count("changed")} changed, ${count("unchanged")} as they were, ${count("deleted")} deleted.`,
  ];
  return harmless(`${lines.map(printable).join("\n")}\n`);
}

const stateText = {
  late: "was not ready in time:",
  refused: "was not applied whole:",
  held: "was not applied:",
} as const;

/** Milliseconds for everything to be gone: finalizers take their time. */
const patience = 600_000;

/** `arcflux delete`: 0 gone or nothing there, 1 waiting for --yes or the cluster failed, 4 not gone in time. */
function deleteCluster(
  name: string,
  { context, yes = false, json: isJson = false }: DeleteOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const take = async (): Promise<ExitCode> => {
    const api = await objects(context);
    const found = await takeOut(name, { isMeant: yes, timeout: patience }, { api, ...clock });
    if (isJson) terminal.out(json({ cluster: name, deleted: yes, ...found }));
    else terminal.out(deleteText(name, yes, found));
    if (found.late.length > 0) return exitCodes.behind;
    return yes || found.goes.length === 0 ? exitCodes.done : exitCodes.failed;
  };
  return toldCommand({ json: isJson }, terminal, take, { cluster: name, goes: [], findings: [] });
}

function deleteText(name: string, isMeant: boolean, found: Awaited<ReturnType<typeof takeOut>>): string {
  const { goes, stays, late } = found;
  if (goes.length === 0) return `Nothing on the cluster was made by an apply of ${printable(name)}.\n`;
  const lines = [
    ...goes.map((object) => `  - ${object}`),
    ...stays.map((why) => `  ${why}`),
    ...late.map((object) => `${object} is still there: see its finalizers`),
    isMeant
      ? late.length === 0
        ? `${name}: what applies made is gone.`
        : `${name}: ${late.length} of ${goes.length} objects are not gone yet. Run it again.`
      : `${name}: ${goes.length} objects would go. Delete them: --yes.`,
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

import { userInfo } from "node:os";
import type { KubernetesObject } from "@kubernetes/client-node";
import { type Command, InvalidArgumentError } from "commander";
import type { Cluster, Fleet, Window } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { needsRepositorySecret } from "../flux/repositorySecret.ts";
import { renderHandJob } from "../flux/window/handJob.ts";
import { ofContext, unusable } from "../status/index.ts";
import { secondsOf } from "../values/duration.ts";
import { show, showNames } from "../values/show.ts";
import { command, labelled, listed, notEmpty } from "./command.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";
import { anyTime } from "./times.ts";
import { closedByFreeze, openThroughGit } from "./windowThroughGit.ts";
import { WriteError } from "./writeFiles.ts";

interface AtOnce {
  readonly file: string;
  readonly context: string;
  readonly cluster?: string;
  readonly reason: string;
  readonly json?: boolean;
}

interface ByHandOptions extends Omit<AtOnce, "context" | "cluster"> {
  readonly context?: string;
  readonly cluster?: readonly string[];
  readonly stage?: readonly string[];
  readonly match?: Readonly<Record<string, string>>;
  readonly for: string;
  readonly at?: Date;
}

/** Creates or patches an object of a cluster; the tests hand in another one. */
export type Send = (context: string, verb: "create" | "patch", object: KubernetesObject) => Promise<string>;

/** `arcflux window open` and `close`: on one cluster at once, or on any by a dated opening in the fleet file. */
export function registerWindowByHand(
  window: Command,
  terminal: Terminal,
  done: (code: ExitCode) => void,
): void {
  const byHand = (verb: "open" | "close", description: string) =>
    command(window, verb, description, [
      `arcflux window ${verb} nightly --context store-001 --reason "INC-4711"`,
      ...(verb === "open"
        ? ['arcflux window open nightly --stage prod --for 30m --at 2026-12-01T10:00Z --reason "INC-4711"']
        : []),
    ])
      .argument("<window>", "name of the window")
      .option("--context <name>", "at once, by this context of your kubeconfig", notEmpty)
      .requiredOption("--reason <text>", "why, which is written down with it", notEmpty)
      .option("--cluster <name>", "this cluster; with --context the one behind it", listed)
      .option("--stage <name>", "through Git: clusters of this stage", listed)
      .option("--match <label>", "through Git: clusters with this label, such as region=north", labelled)
      .option("--for <duration>", "through Git: how long", openFor, "30m")
      .option("--at <time>", "through Git: when, on a multiple of ten minutes", anyTime)
      .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
      .option("--json", "print what was made as JSON on standard output")
      .action(async (name: string, options: ByHandOptions) =>
        done(await openOrClose(verb, name, options, terminal)),
      );
  byHand("open", "Fetch once for a window now: all that is committed reaches its sets.");
  byHand("close", "Shut a window's source at once, where a job left it open.");
}

function openOrClose(
  verb: "open" | "close",
  name: string,
  { context, cluster, stage, match, at, ...options }: ByHandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { file, reason, json = false } = options;
  const where = {
    ...(cluster && { clusters: cluster }),
    ...(stage && { stages: stage }),
    ...(match && { match }),
  };
  const refuse = (message: string): Promise<ExitCode> =>
    fleetCommand(file, { json }, terminal, { object: null }, () => {
      throw new UsageError(message);
    });
  if (context !== undefined) {
    if (stage !== undefined || match !== undefined || at !== undefined || (cluster?.length ?? 0) > 1)
      return refuse(
        "--context is one cluster at once; --stage, --match and --at go through Git. Give one of them.",
      );
    const [only] = cluster ?? [];
    return windowByHand(
      verb,
      name,
      { file, context, reason, json, ...(only && { cluster: only }) },
      terminal,
    );
  }
  if (Object.keys(where).length === 0)
    return refuse(
      "Say where: --context NAME for one cluster at once, or --cluster, --stage or --match, which go through Git.",
    );
  if (verb === "close") return refuse(closedByFreeze(name, { reason, ...where }).message);
  return openThroughGit(
    name,
    { file, reason, json, for: options.for, ...(at && { at }), ...where },
    terminal,
  );
}

function openFor(text: string): string {
  const seconds = secondsOf(text);
  if (seconds === undefined || seconds <= 0 || seconds % 600 !== 0 || seconds > 12 * 3600)
    throw new InvalidArgumentError(
      "It is not a span of ten-minute steps, twelve hours at most; write 30m or 2h.",
    );
  return text;
}

export function windowByHand(
  verb: "open" | "close",
  name: string,
  options: AtOnce,
  terminal: Terminal,
  send: Send = sendByContext,
): Promise<ExitCode> {
  return fleetCommand(
    options.file,
    { json: options.json ?? false },
    terminal,
    { object: null },
    async ({ fleet }) => {
      const { cluster, window } = find(fleet, name, options);
      const by = userInfo().username;
      const { reason, context } = options;
      const object =
        verb === "open"
          ? await send(
              context,
              "create",
              renderHandJob(window, cluster, {
                isPrivate: needsRepositorySecret(fleet.repository),
                reason,
                by,
              }),
            )
          : await send(context, "patch", shut(window, reason, by));
      const said =
        verb === "open"
          ? `${object} fetches once for window ${name} of ${cluster.name}. Follow it: kubectl --context ${context} -n flux-system get ${object}`
          : `window ${name} of ${cluster.name} is shut until its next opening.`;
      return { document: { object }, print: () => terminal.out(`${said}\n`) };
    },
  );
}

function find(fleet: Fleet, name: string, { cluster: named, context }: AtOnce) {
  const byContext = fleet.clusters.filter(
    ({ name: own, kubeconfig }) =>
      own === context || (kubeconfig && "context" in kubeconfig && kubeconfig.context === context),
  );
  const [cluster] = named === undefined ? byContext : selectClusters(fleet, { names: [named] });
  if (cluster === undefined)
    throw new UsageError(
      `No cluster of the fleet file has the context ${show(context)}; name the cluster: --cluster NAME.`,
    );
  const window = cluster.windows.find((one) => one.name === name);
  if (window === undefined)
    throw new UsageError(`${cluster.name} has no window ${show(name)}; it has ${names(cluster)}.`);
  return { cluster, window };
}

function names({ windows }: Cluster): string {
  return showNames(windows.map(({ name }) => name)) || "none";
}

function shut({ source }: Window, reason: string, by: string): KubernetesObject {
  return {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: {
      name: source.name,
      namespace: "flux-system",
      annotations: { "arcflux.io/shut-by-hand": `${new Date().toISOString()} ${by}: ${reason}` },
    },
    spec: { suspend: true },
  } as KubernetesObject;
}

const sendByContext: Send = async (context, verb, object) => {
  // Half a second to load, which no other command needs.
  const { KubernetesObjectApi } = await import("@kubernetes/client-node");
  const { loadKubeconfig } = await import("../status/ask/kubeconfig.ts");
  const config = ofContext(loadKubeconfig(), context);
  if (config === undefined)
    throw new UsageError(
      `Your kubeconfig has no context ${show(context)}; list them with kubectl config get-contexts.`,
    );
  const api = KubernetesObjectApi.makeApiClient(config);
  try {
    const made =
      verb === "create"
        ? await api.create(object)
        : await api.patch(object, undefined, undefined, "arcflux", undefined, mergePatch);
    return `${object.kind?.toLowerCase() ?? ""}/${made.metadata?.name ?? ""}`;
  } catch (error) {
    const fault = unusable(error);
    throw new WriteError(
      `${context} ${fault === undefined ? `refused: ${messageOf(error)}` : `of the kubeconfig: ${fault}`}`,
    );
  }
};

const mergePatch = "application/merge-patch+json";

/** The server's own words, on one line. */
function messageOf(error: unknown): string {
  const { body, message } = error as { body?: unknown; message?: string };
  const said = typeof body === "string" ? /"message":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] : undefined;
  return (said ?? message ?? String(error)).replaceAll(/\s+/g, " ").slice(0, 300);
}

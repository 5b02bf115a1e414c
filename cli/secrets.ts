import type { Command } from "commander";
import type { Cluster } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { type Bootstrapped, bootstrapKey } from "../secrets/index.ts";
import { askOptions, ClusterError, contextOf, inParallel } from "../status/index.ts";
import { showNames } from "../values/show.ts";
import { clusterOption, command, labelled, notEmpty, type Register } from "./command.ts";
import { editFleetFiles } from "./editFleetFile.ts";
import { fileOf } from "./edits.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, type LoadedFleet } from "./fleetCommand.ts";
import { writtenInClusters } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";

export const registerSecrets: Register = (program, terminal, done) => {
  const secrets = command(program, "secrets", "Put the keys on clusters that secrets are encrypted for.", [
    "arcflux secrets bootstrap --match kind=store",
  ]);
  registerBootstrap(secrets, terminal, done);
};

interface BootstrapOptions {
  readonly file: string;
  readonly cluster?: readonly string[];
  readonly match?: Readonly<Record<string, string>>;
  readonly json?: boolean;
}

function registerBootstrap(secrets: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  command(
    secrets,
    "bootstrap",
    "Give each cluster a key pair of its own: the private key goes to the cluster, the public one into the fleet file.",
    [
      "arcflux secrets bootstrap --match kind=store      # again, until all have it",
      "arcflux secrets bootstrap --cluster store-001",
    ],
  )
    .addOption(clusterOption())
    .option("--match <label>", "clusters with this label, such as kind=store", labelled)
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what became of each cluster as JSON on standard output")
    .action(async (options: BootstrapOptions) => done(await bootstrap(options, terminal)));
}

type Outcome = Bootstrapped["state"] | "offline" | "refused";

/** What became of one cluster. */
interface Result {
  readonly cluster: string;
  readonly outcome: Outcome;
  readonly recipient?: string;
  readonly reason?: string;
}

/** Clusters asked at once. */
const parallel = 16;

/**
 * `arcflux secrets bootstrap`: 0 where every cluster has its key, 4 where some could not be reached, 1 where one refused. To run
 * it again costs nothing: a cluster keeps the key that it has.
 */
function bootstrap(options: BootstrapOptions, terminal: Terminal): Promise<ExitCode> {
  return fleetCommand(options.file, options, terminal, { clusters: [] }, async (loaded) => {
    const selection = {
      ...(options.cluster && { names: options.cluster }),
      ...(options.match && { labels: options.match }),
    };
    const clusters = selectClusters(loaded.fleet, selection).filter(
      ({ lifecycle }) => lifecycle === "active",
    );
    const results: Result[] = [];
    const ask = askOptions(60);
    await inParallel(
      clusters,
      parallel,
      async (cluster) => void results.push(await bootstrapOne(cluster, ask)),
    );
    const order = new Map(clusters.map(({ name }, index) => [name, index]));
    results.sort((a, b) => order.get(a.cluster)! - order.get(b.cluster)!);
    const files = await writeDown(loaded, options.file, results);
    const failed = results.some(({ outcome }) => outcome === "refused" || outcome === "strange");
    const behind = results.some(({ outcome }) => outcome === "offline");
    return {
      document: { clusters: results, files },
      print: () => terminal.out(text(results, files)),
      code: failed ? exitCodes.failed : behind ? exitCodes.behind : exitCodes.done,
    };
  });
}

async function bootstrapOne(cluster: Cluster, ask: ReturnType<typeof askOptions>): Promise<Result> {
  try {
    const api = await ask.context(contextOf(cluster), new AbortController().signal);
    if (api === undefined)
      return { cluster: cluster.name, outcome: "offline", reason: "your kubeconfig has no context for it" };
    const { state, ...rest } = await bootstrapKey(cluster, api);
    return { cluster: cluster.name, outcome: state, ...rest };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const outcome = error.name === "Unreachable" ? "offline" : "refused";
    return { cluster: cluster.name, outcome, reason: error.message };
  }
}

/** Writes the public keys that the fleet file lacks, file by file. */
async function writeDown(
  loaded: LoadedFleet,
  fleetFile: string,
  results: readonly Result[],
): Promise<readonly string[]> {
  const fresh = results.filter(({ outcome }) => outcome === "made" || outcome === "found");
  const byFile = Map.groupBy(fresh, ({ cluster }) => fileOf(loaded, ["clusters", cluster], fleetFile));
  const edits = [...byFile].map(([path, some]) => {
    const recipients = new Map(some.map(({ cluster, recipient = "" }) => [cluster, recipient]));
    return [path, (text: string) => writtenInClusters(text, "recipient", recipients)] as const;
  });
  if (edits.length > 0) await editFleetFiles(fleetFile, new Map(edits));
  return [...byFile.keys()];
}

const hints: Readonly<Record<Exclude<Outcome, "has" | "found" | "made">, string>> = {
  offline: "could not be reached",
  refused: "refused",
  strange:
    "have a Secret flux-system/sops-age without a key of age: delete it there, or put one into age.agekey",
};

function text(results: readonly Result[], files: readonly string[]): string {
  const of = (...outcomes: readonly Outcome[]) => results.filter(({ outcome }) => outcomes.includes(outcome));
  const fresh = of("made", "found").length;
  const lines = [`${of("has", "made", "found").length} have their key (${fresh} new in the fleet file).`];
  for (const [outcome, hint] of Object.entries(hints)) {
    const some = of(outcome as Outcome);
    if (some.length === 0) continue;
    const why = some[0]?.reason === undefined ? "" : ` (${some[0].reason})`;
    lines.push(
      `${some.length} ${hint}: ${showNames(
        some.map(({ cluster }) => cluster),
        10,
      )}${why}.`,
    );
  }
  if (of("offline").length > 0) lines.push("Run this again for them later; the others keep what they have.");
  if (files.length > 0)
    lines.push(`Written: ${files.join(", ")}. Commit it, and run pulumi up to send secrets to them.`);
  return `${lines.join("\n")}\n`;
}

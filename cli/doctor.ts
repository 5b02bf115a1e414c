import { publicAgentsChart } from "../components/agentsChart.ts";
import { type Checkup, checkNetwork, checkupText, examine, isHealthy, lookedAt } from "../doctor/index.ts";
import { askGraph, findInAzure, findUnconnected, unconnectedFaults } from "../existing/index.ts";
import type { Cluster } from "../fleet/model.ts";
import type { Finding } from "../fleet/finding.ts";
import { azureAccess, ofContext } from "../status/index.ts";
import { chosenClusters, type ClusterChoice } from "./askFleet.ts";
import { command, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand } from "./fleetCommand.ts";
import { plural } from "./report.ts";
import { timeoutOption, withChoice } from "./statusOptions.ts";
import type { Terminal } from "./terminal.ts";
import { verdict } from "./verdict.ts";

export interface DoctorOptions extends ClusterChoice {
  readonly json?: boolean;
  /** Whether the endpoints of the agents are tried too. */
  readonly network?: boolean;
  /** Seconds. */
  readonly timeout: number;
}

export const registerDoctor: Register = (program, terminal, done) => {
  withChoice(
    command(
      program,
      "doctor",
      "Say what an update needs and does not have, each with the command that mends it.",
      [
        "arcflux doctor                                   # exit code 1 when there is something",
        "arcflux doctor --cluster edge-device-0 --json",
        "arcflux doctor --network                         # the endpoints of the agents too, from here",
      ],
    ),
  )
    .addOption(timeoutOption("what does not answer in that time was not looked at", "60s"))
    .option(
      "--network",
      "try the endpoints that the agents of these clusters call, from here and through its proxy",
    )
    .option("--json", "print what was found as JSON on standard output")
    .action(async (file: string, options: DoctorOptions) => done(await doctor(file, options, terminal)));
};

/** `arcflux doctor`: everything that was looked at, a line each. */
export function doctor(
  file: string,
  options: DoctorOptions,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { healthy: false, checkups: [] }, async (loaded) => {
    const { fleet } = loaded;
    const clusters = chosenClusters(fleet, options);
    const signal = AbortSignal.timeout(options.timeout * 1000);
    const { loadKubeconfig } = await import("../status/ask/kubeconfig.ts");
    let kubeconfig: ReturnType<typeof loadKubeconfig> | undefined;
    let findings: readonly Finding[] = [];
    const agentsChart = env["ARCFLUX_AGENTS_CHART"];
    const inAzure = azureOnce(clusters, env, signal);
    const [inRepository, network, unconnected, found] = await Promise.all([
      lookedAt("repository", async () => {
        findings = (await verdict(loaded, { terminal })).findings;
        const errors = findings.filter(({ severity }) => severity === "error").length;
        if (errors === 0) return [{ about: "repository", state: "ok", text: `${fleet.repository.url} fits` }];
        const text = `the fleet file has ${plural(errors, "error")} against ${fleet.repository.url}`;
        return [{ about: "repository", state: "error", text, mend: "arcflux validate --repo URL" }];
      }),
      options.network === true
        ? lookedAt("network", () => checkNetwork(clusters, fleet.repository.url, env, signal))
        : [],
      lookedAt("cluster", () => connected(clusters, inAzure, signal)),
      examine(fleet, clusters, {
        ...{ env, signal, azure: inAzure.access },
        chart: agentsChart === undefined || agentsChart === "" ? publicAgentsChart : { chart: agentsChart },
        kubeconfigOf: ({ kubeconfig: stated }) => {
          if (stated !== undefined && "config" in stated) return undefined;
          kubeconfig ??= loadKubeconfig();
          return ofContext(kubeconfig, stated?.context);
        },
        inAzure: async (some, access) =>
          new Set((await findInAzure(some, await inAzure.rows(), fleet.repository, access, signal)).keys()),
      }),
    ]);
    const checkups = [...found, ...unconnected, ...network, ...inRepository];
    const healthy = isHealthy(checkups);
    return {
      document: { healthy, checkups },
      findings,
      print: () => terminal.out(checkupText(checkups)),
      code: healthy ? exitCodes.done : exitCodes.failed,
    };
  });
}

interface InAzure {
  readonly access: () => ReturnType<typeof azureAccess>;
  /** What Resource Graph knows of all clusters. */
  readonly rows: () => ReturnType<typeof askGraph>;
}

/** Each is asked for once, by whoever comes first. */
function azureOnce(clusters: readonly Cluster[], env: NodeJS.ProcessEnv, signal: AbortSignal): InAzure {
  let opened: ReturnType<InAzure["access"]> | undefined;
  let asked: ReturnType<InAzure["rows"]> | undefined;
  const access = () => (opened ??= azureAccess(env));
  const rows = () => (asked ??= access().then((found) => askGraph(clusters, found, signal)));
  return { access, rows };
}

/** Clusters that somebody else connects to Azure, and did not, or whose agents are down. */
async function connected(
  clusters: readonly Cluster[],
  inAzure: InAzure,
  signal: AbortSignal,
): Promise<readonly Checkup[]> {
  const present = clusters.filter(
    ({ platform, agents, lifecycle }) => platform === "arc" && agents === "present" && lifecycle === "active",
  );
  if (present.length === 0) return [];
  const found = await findUnconnected(present, await inAzure.rows(), await inAzure.access(), signal);
  return unconnectedFaults(found, present).map((fault) => ({ about: "cluster", state: "error", ...fault }));
}

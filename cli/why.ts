import { explainCluster, type Row } from "../fleet/explain.ts";
import { namespaceOf } from "../fleet/model.ts";
import {
  type ClusterEvent,
  type KubernetesApi,
  type ObjectName,
  readEvents,
  unhealthyObjects,
  whySteps,
  type WhyStep,
  askNow,
} from "../status/index.ts";

import { findApi, namedSet } from "./clusterApi.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { eventLines } from "./events.ts";
import { type ExitCode, exitCodes } from "./exitCodes.ts";
import { fleetCommand } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

interface WhyOptions {
  readonly file: string;
  readonly json?: boolean;
}

export const registerWhy: Register = (program, terminal, done) => {
  command(
    program,
    "why",
    "Say why a set is as it is: from the line of the fleet file to the object on the cluster.",
    ["arcflux why store-001 pos"],
  )
    .argument("<cluster>", "name of the cluster")
    .argument("<set>", "name of one of its sets")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print the chain as JSON on standard output")
    .action(async (cluster: string, set: string, options: WhyOptions) =>
      done(await why(cluster, set, options, terminal)),
    );
};

/** Rows of explain that say where a set comes from. */
const telling = ["path", "sourceRef", "dependsOn", "window", "suspend"];
/** Events of one object that are shown. */
const lastEvents = 5;

/** `arcflux why`: the chain, and with a kubeconfig the events of what fails; 1 where nobody could be asked. */
export function why(
  name: string,
  set: string,
  { file, ...options }: WhyOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { declared: [], steps: [], events: [] }, async (loaded) => {
    const cluster = namedSet(loaded.fleet, name, set);
    const known = cluster.sets.find((each) => each.name === set)!;
    const declared = (explainCluster(loaded, name, set) ?? []).filter(({ path }) =>
      telling.includes(path.split(".").at(-1) ?? ""),
    );
    const api = await findApi(cluster).catch(() => undefined);
    const direct = api !== undefined;
    const { states, faults } = await askNow(loaded.fleet, [cluster], 60, process.env, { direct });
    const [state] = states;
    const steps = state === undefined ? [] : whySteps(state, cluster.sets, set);
    const reason = state?.sets.find((each) => each.name === set)?.reason;
    const events =
      api === undefined || state?.word === "offline"
        ? []
        : await eventsOf(api, { name: set, namespace: namespaceOf(known) }, reason);
    return {
      document: { declared, steps, events, faults },
      // What the fleet file says is no answer to why.
      code: state === undefined || state.word === "not asked" ? exitCodes.failed : exitCodes.done,
      print: () => {
        for (const fault of faults) terminal.err(`${fault}\n`);
        terminal.out(`${declared.map(declaredLine).join("")}${steps.map(stepLine).join("")}`);
        if (events.length > 0) terminal.out(`Events:\n${eventLines(events, "  ")}`);
      },
    };
  });
}

/** The last events of a set's Kustomization, and of the objects that its reason or its last event names as not healthy. */
async function eventsOf(
  api: KubernetesApi,
  set: Omit<ObjectName, "kind">,
  reason: string | undefined,
): Promise<ClusterEvent[]> {
  const of = async (object: ObjectName): Promise<ClusterEvent[]> =>
    (await readEvents(api, object.namespace, [object]).catch(() => [])).slice(-lastEvents);
  const own = await of({ kind: "Kustomization", ...set });
  const named = unhealthyObjects(reason);
  const objects = named.length > 0 ? named : unhealthyObjects(own.at(-1)?.message);
  return [...own, ...(await Promise.all(objects.map(of))).flat()];
}

function declaredLine({ path, value, layer, file, line }: Row): string {
  const place = file === undefined ? layer : `${layer}, ${file}:${line}`;
  return `${path}: ${typeof value === "string" ? value : JSON.stringify(value)} (${place})\n`;
}

function stepLine({ text, next }: WhyStep): string {
  return `${text}.\n${next === undefined ? "" : `  ${next}\n`}`;
}

import { fluxNamespace, namespaceOf } from "../fleet/model.ts";
import { type ClusterEvent, readEvents } from "../status/index.ts";
import { namedSet, openApi } from "./clusterApi.ts";
import { command, notEmpty, type Register } from "./command.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

interface EventsOptions {
  readonly file: string;
  readonly json?: boolean;
}

export const registerEvents: Register = (program, terminal, done) => {
  command(program, "events", "Print what Flux said on a cluster lately, the newest last.", [
    "arcflux events store-001",
    "arcflux events store-001 pos",
  ])
    .argument("<cluster>", "name of the cluster")
    .argument("[set]", "name of one of its sets")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print the events as JSON on standard output")
    .action(async (cluster: string, set: string | undefined, options: EventsOptions) =>
      done(await events(cluster, set, options, terminal)),
    );
};

/** `arcflux events`: the events of flux-system on one cluster, by its own API. */
export function events(
  name: string,
  set: string | undefined,
  { file, ...options }: EventsOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { events: [] }, async ({ fleet }) => {
    const cluster = namedSet(fleet, name, set);
    const api = await openApi(cluster);
    const known = cluster.sets.find((each) => each.name === set);
    const namespace = known === undefined ? fluxNamespace : namespaceOf(known);
    const of = known && [{ kind: "Kustomization", name: known.name, namespace }];
    const found = await readEvents(api, namespace, of);
    return {
      document: { events: found },
      print: () =>
        terminal.out(
          found.length === 0 ? "No events: Kubernetes keeps them for an hour.\n" : eventLines(found),
        ),
    };
  });
}

export function eventLines(events: readonly ClusterEvent[], indent = ""): string {
  return events
    .map(({ time, warning, reason, object, message }) =>
      [`${indent}${time.slice(0, 19)}Z`, warning ? "!" : " ", object, `${reason}:`, message].join(" "),
    )
    .map((line) => `${line}\n`)
    .join("");
}

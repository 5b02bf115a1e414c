import { Option } from "commander";
import type { Cluster } from "../fleet/model.ts";
import { crdKinds, type CrdKind } from "../flux/crd/kinds.ts";
import { type FieldChange, minorsBetween, newFields } from "../flux/crd/upgrade.ts";
import { upgradeOf } from "../flux/upgrade.ts";
import { askNow } from "../status/index.ts";
import { fluxMinors, type FluxMinor, supportedMinors } from "../values/fluxVersions.ts";
import { printable, showNames, showSome } from "../values/show.ts";
import { chosenClusters, type ClusterChoice } from "./askFleet.ts";
import { command, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand } from "./fleetCommand.ts";
import { timeoutOption, withChoice } from "./statusOptions.ts";
import type { Terminal } from "./terminal.ts";

interface UpgradeOptions extends ClusterChoice {
  readonly to: FluxMinor;
  readonly offline?: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly json?: boolean;
}

export const registerUpgrade: Register = (program, terminal, done) => {
  const newest = fluxMinors.at(-1)!;
  withChoice(
    command(
      program,
      "upgrade",
      "Say which Flux clusters run, whether it is supported, and what a newer one changes.",
      [
        "arcflux upgrade",
        "arcflux upgrade --stage prod --to 2.9",
        "arcflux upgrade --offline --json                 # by the fleet file alone",
      ],
    ),
  )
    .addOption(new Option("--to <version>", "the version to go to").choices(fluxMinors).default(newest))
    .option("--offline", "ask nobody: go by flux.version of the fleet file")
    .addOption(timeoutOption("what does not answer in that time was not asked", "60s"))
    .option("--json", "print it as JSON on standard output")
    .action(async (file: string, options: UpgradeOptions) => done(await upgrade(file, options, terminal)));
};

/** A cluster and the Flux that it runs. */
interface Running {
  readonly cluster: Cluster;
  /** As the cluster or Azure says; undefined where neither could be asked. */
  readonly runs: string | undefined;
}

/** `arcflux upgrade`: ends with 4 where a cluster runs what is not supported any more, or not what the fleet file says. */
function upgrade(file: string, options: UpgradeOptions, terminal: Terminal): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { clusters: {}, changes: [] }, async ({ fleet }) => {
    const chosen = chosenClusters(fleet, options);
    const asked = options.offline === true ? undefined : await askNow(fleet, chosen, options.timeout);
    const told = new Map(asked?.states.map(({ cluster, flux }) => [cluster, flux]));
    const running = chosen.map((cluster): Running => ({ cluster, runs: told.get(cluster.name) }));
    const changes = grouped(running, options.to);
    const faults = asked?.faults ?? [];
    const isBehind = running.some((one) => differs(one) || (isOld(one) && !isAzures(one)));
    const nobody = asked !== undefined && running.every(({ runs }) => runs === undefined);
    return {
      document: {
        supported: supportedMinors,
        to: options.to,
        clusters: Object.fromEntries(
          running.map((one) => [
            one.cluster.name,
            {
              declared: one.cluster.flux.version,
              ...(one.runs !== undefined && { runs: one.runs }),
              supported: isSupported(versionOf(one)),
            },
          ]),
        ),
        changes,
        faults,
      },
      print() {
        for (const fault of faults) terminal.err(`${fault}\n`);
        terminal.out(upgradeText(running, changes, options));
      },
      code: nobody ? exitCodes.failed : isBehind ? exitCodes.behind : exitCodes.done,
    };
  });
}

/** What it runs, or should where nobody could be asked. */
function versionOf({ cluster, runs }: Running): string {
  return runs ?? cluster.flux.version;
}

function differs({ cluster, runs }: Running): boolean {
  return runs !== undefined && runs !== cluster.flux.version;
}

function isOld(one: Running): boolean {
  return !isSupported(versionOf(one));
}

/** Behind Azure the extension decides, and Microsoft mends what it brings. */
function isAzures({ cluster }: Running): boolean {
  return cluster.platform === "arc";
}

function isSupported(version: string): boolean {
  return supportedMinors.includes(version as FluxMinor) || isNewer(version);
}

/** Newer than any that is known here. */
function isNewer(version: string): boolean {
  const [newest, minor] = [fluxMinors.at(-1)!, version].map((one) => Number(one.split(".")[1]));
  return version.startsWith("2.") && minor! > newest!;
}

/** A change, with everything that it is of. */
interface FleetChange extends FieldChange {
  readonly objects: readonly string[];
  readonly clusters: readonly string[];
}

/** The same change of many sets and clusters once. */
function grouped(running: readonly Running[], to: FluxMinor): FleetChange[] {
  const found = new Map<string, FieldChange & { objects: Set<string>; clusters: Set<string> }>();
  for (const one of running) {
    const version = versionOf(one);
    // Of what is older than all known the oldest known is nearest.
    const from = fluxMinors.find((minor) => minor === version) ?? (isNewer(version) ? to : fluxMinors[0]);
    for (const { object, ...change } of upgradeOf(one.cluster, from, to)) {
      const key = JSON.stringify(change);
      const known = found.get(key) ?? { ...change, objects: new Set(), clusters: new Set() };
      known.objects.add(object);
      known.clusters.add(one.cluster.name);
      found.set(key, known);
    }
  }
  const order = ({ minor }: FleetChange): number => fluxMinors.indexOf(minor);
  return [...found.values()]
    .map((change) => ({ ...change, objects: [...change.objects].sort(), clusters: [...change.clusters] }))
    .sort((one, other) => order(one) - order(other));
}

function upgradeText(
  running: readonly Running[],
  changes: readonly FleetChange[],
  { to, offline }: UpgradeOptions,
): string {
  const lines = [`Flux supports ${showNames(supportedMinors)} of what is known here.`];
  const by = Map.groupBy(running, (one) => JSON.stringify([one.runs, one.cluster.flux.version]));
  for (const some of by.values()) {
    const [first] = some;
    const names = showSome(some.map(({ cluster }) => cluster.name));
    const { version } = first!.cluster.flux;
    const word = isSupported(versionOf(first!)) ? "" : ", not supported any more";
    if (first!.runs === undefined)
      lines.push(`${version}${word}, by the fleet file${offline === true ? "" : "; not asked"}: ${names}`);
    else if (differs(first!))
      lines.push(
        `${first!.runs}${word}: ${names}. flux.version says ${version}; write version: "${first!.runs}"`,
      );
    else lines.push(`${version}${word}: ${names}`);
  }
  if (running.some((one) => isOld(one) && isAzures(one)))
    lines.push("Behind Azure the extension brings Flux, and Microsoft mends what it brings.");
  const oldest = fluxMinors.find((minor) => running.some((one) => versionOf(one) === minor)) ?? fluxMinors[0];
  const kinds = Object.keys(crdKinds) as CrdKind[];
  for (const minor of minorsBetween(oldest, to)) {
    const own = changes.filter((change) => change.minor === minor);
    lines.push("", `${minor} ${own.length === 0 ? "changes nothing that the fleet has." : "changes:"}`);
    for (const { objects, path, what, isRefused, clusters } of own)
      lines.push(
        `  ${path} of ${showNames(objects, 5)}: ${isRefused ? "refused: " : ""}${what} (on ${showSome(clusters)})`,
      );
    const fields = kinds.flatMap((kind) => newFields(kind, minor).map((field) => `${kind} ${field}`));
    if (fields.length > 0) lines.push(`  new: ${showNames(fields)}`);
  }
  return `${lines.map(printable).join("\n")}\n`;
}

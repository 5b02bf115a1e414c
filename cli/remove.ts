import { InvalidArgumentError } from "commander";
import { withItem, withoutItems } from "../authoring/index.ts";
import type { ClusterEntry } from "../fleet/schema/layer.ts";
import { type Removal, removalOf, writeRemoval } from "../fleet/removal.ts";
import type { RemovalEntry } from "../fleet/schema/removal.ts";
import { didYouMean, probable } from "../values/nearest.ts";
import { show, showNames } from "../values/show.ts";
import { clusterOption, command, notEmpty, type Register } from "./command.ts";
import { editFleetFiles } from "./editFleetFile.ts";
import { Edits, placesOf, type Section } from "./edits.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, type LoadedFleet, UsageError } from "./fleetCommand.ts";
import { written } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";

const kinds = ["cluster", "set", "app"] as const;
type Kind = (typeof kinds)[number];

interface RemoveOptions {
  readonly file: string;
  readonly cluster?: readonly string[];
  readonly lost?: boolean;
  readonly json?: boolean;
}

export const registerRemove: Register = (program, terminal, done) => {
  command(
    program,
    "remove",
    "Take a cluster, a set or an app out of the fleet file, by the rules of an update: what goes is confirmed there.",
    [
      "arcflux remove cluster store-001          # first retired; once more after an update: out of the file",
      "arcflux remove cluster store-001 --lost   # its hardware is gone, and nobody asks it",
      "arcflux remove set pos --cluster store-001",
      "arcflux remove app signage",
    ],
  )
    .argument("<kind>", "cluster, set or app", kindOf)
    .argument("<name>", "its name")
    .addOption(clusterOption())
    .option("--lost", "of a cluster: its hardware is gone")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what was changed as JSON on standard output")
    .action(async (kind: Kind, name: string, options: RemoveOptions) =>
      done(await remove(kind, name, options, terminal)),
    );
};

function kindOf(text: string): Kind {
  const kind = kinds.find((one) => one === text);
  if (kind === undefined) throw new InvalidArgumentError(`Write one of ${kinds.join(", ")}.`);
  return kind;
}

/** `arcflux remove`: changes the fleet file alone; the next update deletes what it confirms, and nothing else. */
function remove(
  kind: Kind,
  name: string,
  { file, cluster, lost = false, json = false }: RemoveOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { changed: [] }, async (loaded) => {
    if (kind === "cluster" && cluster !== undefined)
      throw new UsageError("Name the cluster once: arcflux remove cluster NAME.");
    if (kind !== "cluster" && lost) throw new UsageError("--lost is of a cluster.");
    const edits = new Edits(loaded, file);
    const said =
      kind === "cluster"
        ? removeCluster(name, lost, loaded, edits, file)
        : removePart(kind, name, cluster, loaded, edits, file);
    await editFleetFiles(file, edits);
    return {
      isChanged: true,
      document: { changed: [...edits.keys()] },
      print: () => terminal.out(`${[...edits.keys()].join(", ")}: ${said}\n`),
    };
  });
}

/** Retired or lost first, so that an update takes its protection off; then out. */
function removeCluster(name: string, lost: boolean, loaded: LoadedFleet, edits: Edits, file: string): string {
  const entry = declared(loaded, "clusters", name) as ClusterEntry;
  const wanted = lost ? "lost" : "retired";
  const isLeaving = entry.lifecycle !== undefined && entry.lifecycle !== "active";
  if (!isLeaving || (lost && entry.lifecycle !== "lost")) {
    edits.at(["clusters", name], (text) => written(text, ["clusters", name, "lifecycle"], wanted));
    return `${name} is ${wanted}. Run pulumi up, which takes its protection off; then arcflux remove cluster ${name} once more.`;
  }
  edits.without([["clusters", name]]);
  // What was confirmed of it goes with it: nothing but the whole cluster can go any more.
  const { removed = [] } = loaded.origin?.file ?? {};
  const isOfIt = (entry: RemovalEntry): boolean => removalOf(entry).cluster === name;
  const holders = removed.flatMap((entry, index) => (isOfIt(entry) ? edits.fileOf(["removed", index]) : []));
  for (const holder of new Set(holders)) edits.in(holder, (text) => withoutItems(text, "removed", isOfIt));
  edits.in(file, (text) => withItem(text, "removed", writeRemoval({ kind: "cluster", name })));
  return `${name} is taken out. Run pulumi preview, which says what goes, then pulumi up.`;
}

function removePart(
  kind: "set" | "app",
  name: string,
  clusters: readonly string[] | undefined,
  loaded: LoadedFleet,
  edits: Edits,
  file: string,
): string {
  const section = `${kind}s` as const;
  const confirm = (removal: Removal): void =>
    edits.in(file, (text) => withItem(text, "removed", writeRemoval(removal)));
  if (clusters === undefined) {
    const places = placesOf(loaded, section, name);
    if (places.length === 0) throw new UsageError(`The fleet file has no ${kind} ${show(name)}.`);
    edits.without(places);
    confirm({ kind, name });
    return `${kind} ${name} is taken out of ${showNames(
      places.map((place) => place.slice(0, -1).join(".")),
      5,
    )}, and confirmed in removed. Run pulumi preview, then pulumi up.`;
  }
  const faults = clusters.flatMap((cluster) => {
    declared(loaded, "clusters", cluster);
    const has = loaded.fleet.clusters
      .find((one) => one.name === cluster)
      ?.[section].some((one) => one.name === name);
    return has === true ? [] : [`${cluster} has no ${kind} ${show(name)}.`];
  });
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  for (const cluster of clusters) {
    const path = ["clusters", cluster, section, name];
    // What a stage or group brings is opted out of; what only the cluster says is taken out.
    if (isInherited(loaded, cluster, section, name))
      edits.at(["clusters", cluster], (text) => written(text, path, "null"));
    else edits.without([path]);
    confirm({ kind, name, cluster });
  }
  return `${kind} ${name} is taken from ${showNames(clusters, 5)}, and confirmed in removed. Run pulumi preview, then pulumi up.`;
}

function isInherited({ origin }: LoadedFleet, cluster: string, section: Section, name: string): boolean {
  const holders = origin?.views.find((view) => view.name === cluster)?.holders ?? [];
  return holders.some(({ path, entry }) => path[0] !== "clusters" && entry[section]?.[name] != null);
}

function declared({ origin }: LoadedFleet, section: "clusters", name: string): unknown {
  const entries = origin?.file[section] ?? {};
  if (Object.hasOwn(entries, name)) return entries[name];
  throw new UsageError(
    `The fleet file has no cluster ${show(name)}.${didYouMean(probable(name, Object.keys(entries)))}`,
  );
}

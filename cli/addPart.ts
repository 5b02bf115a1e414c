import { posix } from "node:path";
import type { Command } from "commander";
import { flow, sampleFolder, withEntries } from "../authoring/index.ts";
import type { Fleet } from "../fleet/model.ts";
import { didYouMean, probable } from "../values/nearest.ts";
import { show, showNames } from "../values/show.ts";
import { command, listed, notEmpty } from "./command.ts";
import { editFleetFiles } from "./editFleetFile.ts";
import { Edits, placesOf } from "./edits.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, type LoadedFleet, UsageError } from "./fleetCommand.ts";
import { layOut } from "./layOut.ts";
import { written } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";

interface PartOptions {
  readonly file: string;
  readonly path?: string;
  readonly cluster?: readonly string[];
  readonly group?: readonly string[];
  readonly stage?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly window?: string;
  readonly repo?: string;
  readonly json?: boolean;
}

export function registerAddPart(
  kind: "set" | "app",
  add: Command,
  terminal: Terminal,
  done: (code: ExitCode) => void,
): void {
  const what =
    kind === "set"
      ? "a set: a folder that one Kustomization applies"
      : "an app: a folder of a HelmRelease or of manifests";
  const added = command(add, kind, `Add ${what}, for clusters, groups or stages.`, [
    `arcflux add ${kind} pos --group stores`,
    `arcflux add ${kind} pos --cluster store-001 --repo ../fleet`,
  ])
    .argument("<name>", `name of the ${kind}`)
    .option("--cluster <name>", "this cluster takes it; may be given several times", listed)
    .option("--group <name>", "clusters of this group take it; may be given several times", listed)
    .option("--stage <name>", "clusters of this stage take it; may be given several times", listed)
    .option("--path <folder>", "its folder in the repository, such as ./apps/pos", notEmpty)
    .option("--repo <folder>", "a clone of the repository, in which the folder is laid out", notEmpty)
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what was added as JSON on standard output");
  if (kind === "set")
    added
      .option("--depends-on <set>", "a set that is applied before; may be given several times", listed)
      .option("--window <name>", "the maintenance window in which it changes", notEmpty);
  added.action(async (name: string, options: PartOptions) =>
    done(await addPart(kind, name, options, terminal)),
  );
}

/** `arcflux add set` and `add app`: into the fleet file, and with --repo a folder to begin with. */
function addPart(
  kind: "set" | "app",
  name: string,
  { file, repo, json = false, ...options }: PartOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { added: null, takenBy: [] }, async (loaded) => {
    const takers = takersOf(loaded, options);
    if (takers.length === 0 && kind === "app")
      throw new UsageError("Say who takes the app: --cluster, --group or --stage.");
    const { isShared, path, entry } = partOf(kind, name, options);
    const there = placesOf(loaded, `${kind}s`, name).map(([section = "", key]) =>
      section === "sets" ? section : `${section}.${key}`,
    );
    if (there.length > 0)
      throw new UsageError(
        `The fleet file has the ${kind} ${name} already, at ${there.join(", ")}. Change it there.`,
      );
    const edits = new Edits(loaded, file);
    if (isShared) edits.in(file, (text) => withEntries(text, "sets", [[name, entry]]));
    const own = flow(isShared ? {} : entry);
    for (const taker of takers) edits.at(taker, (text) => written(text, [...taker, `${kind}s`, name], own));
    const fleet = await editFleetFiles(file, edits);
    const folders = [...foldersOf(kind, name, fleet, path)];
    const made = repo === undefined ? [] : await layOut(repo, folders, sampleFolder(name));
    const takenBy = takers.map((taker) => taker.join("."));
    return {
      isChanged: true,
      document: { added: name, takenBy, folders, made },
      print() {
        const by = takenBy.length === 0 ? "nobody takes it yet" : `taken by ${showNames(takenBy, 5)}`;
        terminal.out(`${[...edits.keys()].join(", ")}: ${kind} ${name} added, ${by}.\n`);
        for (const each of made) terminal.out(`  ${each}\n`);
        terminal.out(
          repo === undefined
            ? `Put its manifests into ${showNames(folders, 3)} of the repository; --repo DIR would have begun it. Then: pulumi preview.\n`
            : "Put its manifests there, commit and push them. Then: pulumi preview.\n",
        );
      },
    };
  });
}

type Taker = readonly [section: "clusters" | "groups" | "stages", name: string];

/** The next step where nobody may be meant that there is. */
const howTo: Readonly<Record<Taker[0], (name: string) => string>> = {
  clusters: (name) => ` Add it first: arcflux add cluster ${name}.`,
  groups: (name) => ` Write it first, such as groups: { ${name}: { match: { kind: store } } }.`,
  stages: (name) => ` Write it first, such as stages: { ${name}: { branch: ${name} } }.`,
};

function takersOf(
  { origin }: LoadedFleet,
  { cluster = [], group = [], stage = [] }: Pick<PartOptions, "cluster" | "group" | "stage">,
): Taker[] {
  const named = [
    ...stage.map((name) => ["stages", name] as const),
    ...group.map((name) => ["groups", name] as const),
    ...cluster.map((name) => ["clusters", name] as const),
  ];
  const faults = named.flatMap(([section, name]) => {
    const known = Object.keys(origin?.file[section] ?? {});
    if (known.includes(name)) return [];
    const hint = didYouMean(probable(name, known)) || howTo[section](name);
    return [`The fleet file has no ${section.slice(0, -1)} ${show(name)}.${hint}`];
  });
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return named;
}

/** A set of clusters alone lies in their own folders; any other is shared. */
function partOf(
  kind: "set" | "app",
  name: string,
  { path, cluster, group, stage, dependsOn, window }: Omit<PartOptions, "file">,
) {
  const isOwn = kind === "app" || (cluster !== undefined && group === undefined && stage === undefined);
  const shared = path ?? (isOwn ? undefined : `./sets/${name}`);
  const entry = {
    ...(shared !== undefined && { path: shared }),
    ...(dependsOn && { dependsOn }),
    ...(window !== undefined && { window }),
  };
  return { isShared: !isOwn, path: shared, entry };
}

/** Folders of the repository that hold its manifests, as the new fleet resolves them. */
function foldersOf(kind: "set" | "app", name: string, fleet: Fleet, path: string | undefined): Set<string> {
  const found = fleet.clusters.flatMap((cluster) => {
    if (kind === "set") return cluster.sets.filter((set) => set.name === name).map((set) => set.spec.path);
    const apps = cluster.apps.filter((app) => app.name === name);
    return apps.map(({ resource }) => posix.join(cluster.folder, "apps", resource));
  });
  return new Set((found.length > 0 ? found : [path ?? ""]).map((folder) => folder.replace(/^\.\//, "")));
}

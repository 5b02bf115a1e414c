import { entryText, withCopy, withoutEntries } from "../authoring/index.ts";
import { matchable, matches } from "../fleet/labels.ts";
import { viewsOf } from "../fleet/layers.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { realPath } from "../disk/realPath.ts";
import { rules } from "../fleet/rules.ts";
import type { ClusterEntry } from "../fleet/schema/layer.ts";
import { didYouMean, probable } from "../values/nearest.ts";
import { show, showNames } from "../values/show.ts";
import { copied, type FolderCopy, folderCopy } from "./cloneFolder.ts";
import { type CloneValues, cloneValues } from "./cloneValues.ts";
import { command, listed, notEmpty, type Register } from "./command.ts";
import { editFleetFiles, type EditOptions, WouldFail } from "./editFleetFile.ts";
import { Edits } from "./edits.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, type LoadedFleet, UsageError } from "./fleetCommand.ts";
import { plural } from "./report.ts";
import { scalar, written } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";
import { type Ask, terminalAsk } from "./terminalAsk.ts";

interface CloneOptions {
  readonly file: string;
  readonly set?: readonly string[];
  readonly idle?: boolean;
  readonly repo?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const registerClone: Register = (program, terminal, done) => {
  command(program, "clone", "Copy a cluster of the fleet file, with its comments and its own files.", [
    "arcflux clone staging-blue staging-green --set slot=green",
    "arcflux clone staging-blue staging-green --set slot=green --idle --repo ../fleet --dry-run",
    "arcflux clone shop-1 shop-2 --set variables.site_code=0043 --set kubeconfig.context=shop-2",
  ])
    .argument("<cluster>", "the cluster that there is")
    .argument("<new>", "name of the new one")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option(
      "--set <place=value>",
      "a label, attribute or variable by its name, or a place such as kubeconfig.context; may be given several times",
      listed,
    )
    .option("--idle", "nothing runs in its sets yet, but in those that say idle: false")
    .option(
      "--repo <folder>",
      "copy the files that others wrote for the cluster, in this working copy",
      notEmpty,
    )
    .option("--dry-run", "say what would be written, and write nothing")
    .option("--json", "print what was copied as JSON on standard output")
    .action(async (from: string, to: string, options: CloneOptions) =>
      done(await clone(from, to, options, terminal)),
    );
};

/** `arcflux clone`: 0 copied, 1 a file could not be written, 2 wrong usage, or a copy that would be an error. */
export function clone(
  from: string,
  to: string,
  { file, set = [], idle = false, repo, dryRun = false, json: asJson = false }: CloneOptions,
  terminal: Terminal,
  ask: Ask | undefined = terminalAsk(),
): Promise<ExitCode> {
  return fleetCommand(file, { json: asJson }, terminal, { copied: false }, async (loaded) => {
    const entry = entryOf(loaded, from);
    refuseName(loaded, to);
    const values = await cloneValues(from, entry, set, dryRun || asJson ? undefined : ask);
    // A line of its own would outweigh the group that makes it idle, and stay behind when the group is switched.
    const isIdle = idleByLayers(loaded, to, copyOf(entry, values));
    const writesIdle = idle && !isIdle;
    const edits = new Edits(loaded, file);
    edits.at(["clusters", from], (text) => cloned(text, { from, to, idle: writesIdle, values }));
    const into = edits.fileOf(["clusters", from]);
    const old = clusterOf(loaded.fleet, from);
    let copy: FolderCopy | undefined;
    let text = "";
    const first: EditOptions["first"] = async ({ fleet, texts }) => {
      const others = allClusters(fleet).filter(({ name }) => name !== from && name !== to);
      copy = repo === undefined ? undefined : await folderCopy(repo, old, clusterOf(fleet, to), others);
      text = entryText(texts.get(realPath(into)) ?? "", "clusters", to);
      return dryRun || copy === undefined ? undefined : await copied(copy);
    };
    const fleet = await editFleetFiles(file, edits, { first, isTrial: dryRun }).catch((error: unknown) => {
      throw error instanceof WouldFail ? withSet(error, from) : error;
    });
    const fresh = clusterOf(fleet, to);
    const groups = groupsOf(loaded, fresh);
    return {
      isChanged: !dryRun,
      document: {
        ...{ file: into, from, to, copied: !dryRun, entry: text, groups },
        left: values.left.map((path) => path.join(".")),
        ...(copy && {
          files: copy.files.map((one) => one.to),
          naming: copy.naming,
          encrypted: copy.encrypted,
        }),
      },
      print: () => {
        terminal.out(`${into}: ${to} ${dryRun ? "would be" : "is"} a copy of ${from}:\n${text}\n`);
        for (const line of notes(values, { old, fresh, groups, copy, repo })) terminal.out(`${line}\n`);
        const isOwn = writesIdle || (isIdle && entry.idle === true);
        if (isOwn)
          terminal.out(
            "Its own idle: true outweighs stage and groups: take that line out when they are to say which cluster is idle.\n",
          );
        else if (idle) terminal.out("Idle by its stage or a group, so nothing is written for --idle.\n");
        terminal.out(dryRun ? "Nothing was changed.\n" : nextOf(from, to, values));
      },
    };
  });
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly idle: boolean;
  readonly values: CloneValues;
}

function cloned(text: string, { from, to, idle, values }: Copying): string {
  const at = (path: readonly string[]) => ["clusters", to, ...path];
  const all = [
    ...values.set.map(({ path, value }) => ({ path, text: scalar(value) })),
    ...(idle ? [{ path: ["idle"], text: "true" }] : []),
  ];
  return withCopy(text, "clusters", from, to, (alone) =>
    all.reduce(
      (rest, { path, text: value }) => written(rest, at(path), value),
      withoutEntries(alone, values.left.map(at)),
    ),
  );
}

/** The entry of the copy with its labels: nothing else of it that --set may change is matched by a layer. */
function copyOf(entry: ClusterEntry, { set }: CloneValues): ClusterEntry {
  const labels = { ...entry.labels };
  for (const { path, value } of set) if (path[0] === "labels") labels[path[1] ?? ""] = value;
  return { ...entry, labels };
}

function idleByLayers({ origin }: LoadedFleet, name: string, entry: ClusterEntry): boolean {
  const [view] = origin === undefined ? [] : viewsOf({ ...origin.file, clusters: { [name]: entry } });
  return view?.holders.findLast((holder) => holder.entry.idle !== undefined)?.entry.idle === true;
}

function entryOf({ origin }: LoadedFleet, name: string): ClusterEntry {
  const entries = origin?.file.clusters ?? {};
  if (Object.hasOwn(entries, name)) return entries[name]!;
  throw new UsageError(
    `The fleet file has no cluster ${show(name)}.${didYouMean(probable(name, Object.keys(entries)))}`,
  );
}

function refuseName({ origin }: LoadedFleet, name: string): void {
  if (Object.hasOwn(origin?.file.clusters ?? {}, name))
    throw new UsageError(
      `The fleet file has a cluster ${show(name)} already. Change it there, or take another name.`,
    );
  if (!rules.clusterName.pattern.test(name))
    throw new UsageError(`${show(name)} is not the name of a cluster; ${rules.clusterName.allowed}.`);
}

/** What of a copy is an error mostly is that it is one. */
function withSet({ message }: WouldFail, from: string): UsageError {
  return new UsageError(`${message}\nSay with --set what differs from ${from}, such as --set slot=green.`);
}

const allClusters = ({ clusters, withoutFlux }: Fleet): readonly Cluster[] => [...clusters, ...withoutFlux];

function clusterOf(fleet: Fleet, name: string): Cluster {
  const found = allClusters(fleet).find((cluster) => cluster.name === name);
  if (found === undefined) throw new UsageError(`${name} is not in the fleet. Run arcflux validate.`);
  return found;
}

/** Groups that the labels of a cluster put it in, each with what it matches: `all (app=shop)`. */
function groupsOf({ origin }: LoadedFleet, cluster: Cluster): string[] {
  const labels = matchable(cluster);
  return Object.entries(origin?.file.groups ?? {}).flatMap(([name, { match }]) => {
    const pairs = Object.entries(match);
    const text = pairs.map(([key, value]) => `${key}=${value}`).join(", ");
    return matches(labels, pairs) ? [`${name} (${text === "" ? "all clusters" : text})`] : [];
  });
}

interface Told {
  readonly old: Cluster;
  readonly fresh: Cluster;
  readonly groups: readonly string[];
  readonly copy: FolderCopy | undefined;
  readonly repo: string | undefined;
}

function notes({ left }: CloneValues, { old, fresh, groups, copy, repo }: Told): string[] {
  const names = left.map((path) => path.join("."));
  return [
    groups.length > 0 ? `Groups by its labels: ${groups.join("; ")}` : "Groups by its labels: none",
    ...(names.length > 0 ? [`Left out, since it is of ${old.name} alone: ${names.join(", ")}`] : []),
    `Folder: ${fresh.folder === "" ? "the root" : fresh.folder}`,
    ...(copy === undefined
      ? ["Files that others wrote for it were not looked at; --repo FOLDER copies them."]
      : [`Files in ${repo}: ${plural(copy.files.length, "file")} of ${old.folder}`]),
    ...(copy === undefined ? [] : firstOf(copy.files.map(({ to }) => to))),
    ...some(`still name ${old.name}; look at them:`, copy?.naming),
    ...some(`are encrypted for whom those of ${old.name} are; encrypt them anew:`, copy?.encrypted),
  ];
}

/** A few tell where they went; --json has them all. */
const mostShown = 5;

function firstOf(paths: readonly string[]): string[] {
  const more = paths.length - mostShown;
  const shown = paths.slice(0, mostShown).map((path) => `  ${path}`);
  return more > 0 ? [...shown, `  and ${more} more`] : shown;
}

function some(what: string, paths: readonly string[] = []): string[] {
  return paths.length === 0 ? [] : [`These ${what} ${showNames(paths, 8)}`];
}

function nextOf(from: string, to: string, { left }: CloneValues): string {
  const key = left.some(([field]) => field === "recipient") ? `arcflux secrets bootstrap ${to}, ` : "";
  return `Next: arcflux compare ${from} ${to}, ${key}commit what was copied, pulumi preview, then pulumi up.\n`;
}

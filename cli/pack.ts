import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { fluxDifferences } from "../checks/fluxManifests.ts";
import { clusterLabel, packsFolder } from "../fleet/management.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { rules } from "../fleet/rules.ts";
import { selectClusters } from "../fleet/select.ts";
import { needsRepositorySecret } from "../flux/repositorySecret.ts";
import {
  type Manifests,
  packFaults,
  packFiles,
  readInput,
  readKeyName,
  strategies,
  type Strategy,
  unusedManifests,
} from "../pack/index.ts";
import { folder } from "../values/repositoryPath.ts";
import { isInside } from "../values/path.ts";
import { showSome } from "../values/show.ts";
import { command, listed, notEmpty, type Register } from "./command.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { writtenText } from "./report.ts";
import { requireClone } from "./requireClone.ts";
import type { Terminal } from "./terminal.ts";
import { writeFiles } from "./writeFiles.ts";

interface Options {
  readonly manifests: readonly string[];
  readonly namespace: string;
  readonly strategy: Strategy;
  readonly out?: string;
  readonly file: string;
  readonly json?: boolean;
}

export const registerPack: Register = (program, terminal, done) => {
  command(
    program,
    "pack",
    "Write what a management cluster brings to clusters that it makes: network plugin, Flux, and where Flux begins.",
    [
      "arcflux pack blue --manifests cni.yaml --manifests flux.yaml --out ../fleet",
      "arcflux pack blue green --manifests 'https://example.com/install.yaml#sha256=…' --out ../fleet",
    ],
  )
    .argument("<clusters...>", "clusters of the fleet file with managedBy")
    .requiredOption(
      "--manifests <file or URL>",
      "manifests, first those that others need; a URL ends in #sha256= and its checksum; may be given several times",
      listed,
    )
    .option(
      "--namespace <name>",
      "namespace of the Clusters on their management cluster",
      namespaceName,
      "default",
    )
    .addOption(
      new Option("--strategy <strategy>", "apply a pack again when it changes, or once")
        .choices(strategies)
        .default("Reconcile"),
    )
    .option("--out <dir>", "write the files below this folder, a clone of the repository", notEmpty)
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print the files and findings as JSON on standard output")
    .action(async (names: readonly string[], options: Options) => done(await pack(names, options, terminal)));
};

function namespaceName(value: string): string {
  if (!rules.namespace.pattern.test(value)) throw new InvalidArgumentError(`${rules.namespace.allowed}.`);
  return value;
}

/** `arcflux pack`: prints the files, or writes them into a clone, where a person commits them. */
function pack(names: readonly string[], options: Options, terminal: Terminal): Promise<ExitCode> {
  const { file, out, namespace, strategy } = options;
  return fleetCommand(file, options, terminal, { files: {} }, async ({ fleet, finding }) => {
    if (out !== undefined) await requireClone(out);
    const clusters = selectClusters(fleet, { names });
    const unmade = clusters.filter(({ managedBy }) => managedBy === undefined);
    if (unmade.length > 0)
      throw new UsageError(
        `No management cluster makes ${showSome(unmade.map(({ name }) => name))}; write managedBy there.`,
      );
    const manifests = await readAll(options.manifests);
    const faults = packFaults(manifests, { namespace, strategy });
    if (faults.length > 0) throw new UsageError(faults.join("\n"));
    const findings = manifests.flatMap(({ flux }) => (flux ? fluxDifferences(flux, clusters, finding) : []));
    if (findings.length > 0) return { document: { files: {} }, findings, print: () => undefined };
    const files = packFiles(clusters, fleet, manifests, { namespace, strategy });
    const written = out === undefined ? undefined : await writeFiles(out, files);
    const removed = out === undefined ? [] : await removeUnused(out, clusters, fleet);
    return {
      document: { files: Object.fromEntries(files), removed },
      print() {
        if (out === undefined) for (const [path, text] of files) terminal.out(`--- # ${path}\n${text}`);
        else {
          terminal.out(`${writtenText(out, written ?? 0, files.size)}\n`);
          for (const path of removed) terminal.out(`${path} is taken out: no pack names it any more.\n`);
          for (const line of nextSteps(clusters, fleet, namespace)) terminal.out(`${line}\n`);
        }
      },
    };
  });
}

async function readAll(places: readonly string[]): Promise<Manifests[]> {
  const read = await Promise.all(places.map((place) => readInput(place)));
  const faults = read.flatMap((one) => ("faults" in one ? one.faults : []));
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return read.flatMap((one) => ("faults" in one ? [] : [one]));
}

/** Takes out what the packs have left; on the clusters nothing goes with it. */
async function removeUnused(out: string, clusters: readonly Cluster[], fleet: Fleet): Promise<string[]> {
  const removed: string[] = [];
  for (const path of foldersOf(clusters, fleet)) {
    const names = await readdir(join(out, path), { recursive: true, withFileTypes: true });
    const files = new Map<string, string>();
    for (const entry of names) {
      if (!entry.isFile()) continue;
      const whole = join(entry.parentPath, entry.name);
      files.set(whole.slice(join(out, path).length + 1).replaceAll("\\", "/"), await readFile(whole, "utf8"));
    }
    for (const one of unusedManifests(files)) {
      await rm(join(out, path, one));
      removed.push(`${path}/${one}`);
    }
  }
  return removed;
}

function foldersOf(clusters: readonly Cluster[], fleet: Fleet): string[] {
  return [...new Set(clusters.map((cluster) => packsFolder(managerOf(cluster, fleet))))];
}

function managerOf({ managedBy }: Cluster, { clusters }: Fleet): Cluster {
  return clusters.find(({ name }) => name === managedBy)!;
}

/** What the packs still need: a set that applies them, the label on each Cluster, and the keys. */
function nextSteps(clusters: readonly Cluster[], fleet: Fleet, namespace: string): string[] {
  const managers = [...new Set(clusters.map((cluster) => managerOf(cluster, fleet)))];
  const unapplied = managers.filter(
    (one) => !one.sets.some(({ spec }) => isApplied(packsFolder(one), String(spec["path"]))),
  );
  const [first] = clusters;
  return [
    ...unapplied.map(
      (one) =>
        `No set of ${one.name} applies ${packsFolder(one)}: add \`packs: {}\` to its sets in the fleet file.`,
    ),
    `Each Cluster in namespace ${namespace} needs its label, such as ${clusterLabel}: ${first?.name}.`,
    ...(needsRepositorySecret(fleet.repository)
      ? [
          `Each needs a Secret of type addons.cluster.x-k8s.io/resource-set on its management cluster, such as ${namespace}/${readKeyName(first!)}: see docs/guide/cluster-api.md.`,
        ]
      : []),
    "Commit the files, and push.",
  ];
}

function isApplied(packs: string, path: string): boolean {
  return packs === folder(path) || isInside(packs, folder(path));
}

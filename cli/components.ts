import { fluxDifferences } from "../checks/fluxManifests.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { needsRepositorySecret, repositorySecretName } from "../flux/repositorySecret.ts";
import { componentFiles, componentsFolder, readManifests, readText, sha256Of } from "../install/index.ts";
import { fullPath } from "../values/path.ts";
import { show, showSome } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { writtenText } from "./report.ts";
import { requireClone } from "./requireClone.ts";
import type { Terminal } from "./terminal.ts";
import { writeFiles } from "./writeFiles.ts";

interface Options {
  readonly manifests: string;
  readonly all?: boolean;
  readonly out?: string;
  readonly file: string;
  readonly json?: boolean;
}

export const registerComponents: Register = (program, terminal, done) => {
  command(
    program,
    "components",
    "Write Flux itself into the repository, for clusters that take it from there (flux.sync: self).",
    [
      "arcflux components tmp-mgmt --manifests flux.yaml --out ../fleet",
      "arcflux components --all --manifests flux.yaml   # prints the files",
    ],
  )
    .argument("[clusters...]", "clusters of the fleet file with flux.sync: self")
    .option("--all", "all of them")
    .requiredOption("--manifests <file>", "what `flux install --export` prints", notEmpty)
    .option("--out <dir>", "write the files below this folder, a clone of the repository", notEmpty)
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print the files and findings as JSON on standard output")
    .action(async (names: readonly string[], options: Options) =>
      done(await components(names, options, terminal)),
    );
};

/** `arcflux components`: prints the files, or writes them into a clone, where a person commits them. */
function components(names: readonly string[], options: Options, terminal: Terminal): Promise<ExitCode> {
  const { file, out } = options;
  return fleetCommand(file, options, terminal, { files: {} }, async ({ fleet, finding }) => {
    const clusters = chosen(fleet, names, options.all === true);
    if (out !== undefined) await requireClone(out);
    const text = await readText(options.manifests);
    if (typeof text !== "string")
      throw new UsageError(`${show(options.manifests)} cannot be read (${text.why}). Correct --manifests.`);
    const read = readManifests(text, sha256Of(text));
    if ("faults" in read)
      throw new UsageError(read.faults.map((fault) => `${options.manifests} ${fault}.`).join("\n"));
    const findings = fluxDifferences(read, clusters, finding);
    const files = new Map(
      findings.length > 0
        ? []
        : clusters.flatMap((cluster) => [...componentFiles(cluster, fleet.repository, read, text)]),
    );
    const written = out === undefined || files.size === 0 ? 0 : await writeFiles(out, files);
    return {
      document: { files: Object.fromEntries(files) },
      findings,
      print() {
        if (findings.length > 0) return;
        if (out === undefined) for (const [path, content] of files) terminal.out(`--- # ${path}\n${content}`);
        else
          for (const line of nextSteps(clusters, fleet, out, written, files.size)) terminal.out(`${line}\n`);
      },
    };
  });
}

function chosen(fleet: Fleet, names: readonly string[], isAll: boolean): readonly Cluster[] {
  const own = fleet.clusters.filter(({ flux }) => flux.syncsItself === true);
  if (isAll === names.length > 0) throw new UsageError("Name clusters, or write --all: one of the two.");
  const clusters = isAll ? own : selectClusters(fleet, { names });
  const others = clusters.filter(({ flux }) => flux.syncsItself !== true).map(({ name }) => name);
  if (clusters.length === 0)
    throw new UsageError(
      "No cluster takes Flux from the repository. Write flux: {sync: self} at those that do.",
    );
  if (others.length > 0)
    throw new UsageError(
      `${showSome(others)}: others bring Flux there, and two would make the same objects. Write flux: {sync: self} there first.`,
    );
  return clusters;
}

/** What to do with the files: the first time by hand, and later by commits alone. */
function nextSteps(
  clusters: readonly Cluster[],
  { repository }: Fleet,
  out: string,
  written: number,
  all: number,
): string[] {
  const [first] = clusters;
  const folder = fullPath(first!.folder, componentsFolder);
  const secret = `${repositorySecretName(first!)} in flux-system`;
  return [
    writtenText(out, written, all),
    ...(written > 0 ? ["Commit them and push: a cluster that runs Flux brings itself to them."] : []),
    `A cluster without Flux needs them once, such as ${first!.name}, from the clone:`,
    `  kubectl apply --server-side -f ${folder}/gotk-components.yaml`,
    ...(needsRepositorySecret(repository)
      ? [`  # then Secret ${secret}, with a key that may only read`]
      : []),
    `  kubectl apply --server-side -k ${folder}`,
  ];
}

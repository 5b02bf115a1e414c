import { changesBetween, type ClusterChanges } from "../checks/applied/index.ts";
import type { Look } from "../checks/checkRepository.ts";
import { ownFiles } from "../checks/ownFiles.ts";
import { type RepositoryReader, repositoryReader } from "../checks/repositoryReader.ts";
import { compareClusters } from "../fleet/compareClusters.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { pathBelow } from "../values/path.ts";
import { compareText, type Comparing, type FileDifference, generatedDifferences } from "./compareText.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { ignoreOption } from "./ignoreOption.ts";
import type { Terminal } from "./terminal.ts";
import { seen } from "./verdict.ts";

interface CompareOptions {
  readonly file: string;
  readonly repo?: string | true;
  readonly json?: boolean;
  readonly ignore?: readonly string[];
}

export const registerCompare: Register = (program, terminal, done) => {
  command(program, "compare", "Say what differs between two clusters of the fleet file.", [
    "arcflux compare staging-blue staging-green",
    "arcflux compare staging-blue staging-green --repo     # also what they apply, and files of others",
    "arcflux compare store-001 store-002 --repo ../fleet --json",
  ])
    .argument("<cluster>", "one cluster")
    .argument("<other>", "the other one")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option(
      "--repo [path or URL]",
      "also build both from this repository: a folder, a bare repository or a URL. Default: the fleet's own URL",
      notEmpty,
    )
    .addOption(ignoreOption())
    .option("--json", "print the differences as JSON on standard output")
    .action(async (from: string, to: string, options: CompareOptions) =>
      done(await compare(from, to, options, terminal)),
    );
};

/** `arcflux compare`: 0 whatever differs, as `diff`; 1 where a set of one does not build; 2 for errors of the fleet file. */
export function compare(
  from: string,
  to: string,
  { file, repo, json = false, ignore }: CompareOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { clusters: [from, to] }, async (loaded) => {
    if (from === to) throw new UsageError("The two are one cluster. Name another one to compare with.");
    const [one, other] = selectedInOrder(loaded.fleet, from, to);
    const said = {
      from,
      to,
      values: compareClusters(loaded, one, other),
      generated: generatedDifferences(one, other, loaded.fleet),
    };
    if (repo === undefined) return answerOf(said, [], terminal);
    const options = { ...(repo !== true && { repo }), ignore, terminal };
    const { findings, value } = await seen(loaded, options, async (look) => ({
      objects: await appliedDifferences(one, other, loaded.fleet, look),
      own: await ownDifferences(one, other, loaded.fleet, look),
    }));
    return answerOf({ ...said, ...value }, findings, terminal);
  });
}

function answerOf(
  found: Comparing,
  findings: Awaited<ReturnType<typeof seen>>["findings"],
  terminal: Terminal,
) {
  const { from, to, values, generated, objects = [], own = [] } = found;
  const isFault = objects.some(({ unbuilt }) => unbuilt.some(({ kind }) => kind === "fault"));
  return {
    document: {
      clusters: [from, to],
      equal: values.length + generated.length + objects.length + own.length === 0,
      ...{ values, generated },
      ...(found.objects && { objects: objects.map(({ objects, unbuilt }) => ({ objects, unbuilt })) }),
      ...(found.own && { own }),
    },
    findings,
    print: () => terminal.out(compareText(found)),
    code: isFault ? exitCodes.failed : exitCodes.done,
  };
}

function selectedInOrder(fleet: Fleet, from: string, to: string): readonly [Cluster, Cluster] {
  const found = selectClusters(fleet, { names: [from, to] });
  const one = found.find(({ name }) => name === from);
  const other = found.find(({ name }) => name === to);
  if (one === undefined || other === undefined)
    throw new UsageError("A cluster with platform: none has nothing to compare. Name two that Flux runs on.");
  return [one, other];
}

/** What the second applies otherwise than the first, once an update has run; both as the committed branch has them. */
function appliedDifferences(
  from: Cluster,
  to: Cluster,
  { repository: { url, branch } }: Fleet,
  { pinned, builder, after }: Look,
): Promise<ClusterChanges[]> {
  const tree = after(branch);
  // The two are asked about by one name.
  const [before, fresh] = [[from], [{ ...to, name: from.name }]].map((clusters) => ({
    tree,
    branch,
    clusters,
  }));
  return changesBetween([from], { url, pinned }, before!, fresh!, builder);
}

/** Files that others wrote, by path below the folder of each. */
async function ownDifferences(
  from: Cluster,
  to: Cluster,
  { clusters }: Fleet,
  { trees: { committed } }: Look,
): Promise<FileDifference[]> {
  if (committed === undefined) return [];
  const reader = repositoryReader(committed);
  const [left, right] = await Promise.all([from, to].map((cluster) => filesOf(cluster, clusters, reader)));
  const paths = [...new Set([...left!.keys(), ...right!.keys()])].sort();
  return paths.flatMap((path): FileDifference[] => {
    const [one, other] = [left!.get(path), right!.get(path)];
    if (one === other) return [];
    return [{ path, what: other === undefined ? "first" : one === undefined ? "second" : "both" }];
  });
}

async function filesOf(
  cluster: Cluster,
  clusters: readonly Cluster[],
  reader: RepositoryReader,
): Promise<ReadonlyMap<string, string>> {
  const own = await ownFiles(
    cluster,
    clusters.filter((other) => other !== cluster),
    reader,
  );
  const texts = own.map(async ({ path, isLink }) => {
    const text = isLink ? "(a symbolic link)" : ((await reader.read(path)) ?? "");
    return [pathBelow(cluster.folder, path), text] as const;
  });
  return new Map(await Promise.all(texts));
}

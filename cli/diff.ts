import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  changesBetween,
  type ClusterChanges,
  noFiles,
  type Side,
  treeAfterUpdate,
} from "../checks/applied/index.ts";
import type { Look } from "../checks/checkRepository.ts";
import { folderTree } from "../checks/folderTree.ts";
import type { RepositoryTrees } from "../checks/repositoryTree.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { withCheckout } from "../git/index.ts";
import { isIn } from "../stages/index.ts";
import { diffMarkdown, diffText } from "./diffFormats.ts";
import { serverChanges } from "./diffServer.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetAt } from "./fleetAt.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";
import { seen } from "./verdict.ts";

export const diffFormats = ["text", "markdown", "json"] as const;

export interface DiffOptions {
  readonly repo?: string;
  readonly cluster?: readonly string[];
  readonly base?: string;
  readonly stage?: readonly string[];
  readonly server?: boolean;
  readonly format: (typeof diffFormats)[number];
  readonly json?: boolean;
  readonly ignore?: readonly string[];
}

/** What is compared: the same clusters, on two sides of the repository. */
interface Comparison {
  readonly clusters: readonly Cluster[];
  readonly before: Side;
  readonly after: Side;
}

/**
 * `arcflux diff`: what changes on clusters, by meaning. Without options, what an update does to the repository as it is;
 * with --base, what a change of the fleet file does since that commit; with two --stage, what a promotion brings; with
 * --server, what the clusters themselves say that Flux would change there.
 */
export function diff(file: string, options: DiffOptions, terminal: Terminal): Promise<ExitCode> {
  const json = options.json === true || options.format === "json";
  return fleetCommand(file, { json }, terminal, { changes: [] }, async (loaded) => {
    if (options.base !== undefined && options.stage !== undefined)
      throw new UsageError("--base and --stage are two questions; ask one at a time.");
    if (options.server === true && (options.base ?? options.stage) !== undefined)
      throw new UsageError("--server compares with what runs on the clusters; leave out --base and --stage.");
    const { repo, ignore } = options;
    const compare = comparison(loaded.fleet, file, options);
    const { findings, value: changes } = await seen(loaded, { repo, ignore, terminal }, compare);
    return {
      document: { changes },
      findings,
      print: () => terminal.out(options.format === "markdown" ? diffMarkdown(changes) : diffText(changes)),
      code: changes.some(({ unbuilt }) => unbuilt.some(({ kind }) => kind === "fault"))
        ? exitCodes.failed
        : exitCodes.done,
    };
  });
}

/** How the repository is compared, once it is at hand. Throws where the question makes no sense. */
function comparison(
  fleet: Fleet,
  file: string,
  { repo, base, cluster, stage, server }: DiffOptions,
): (look: Look) => Promise<ClusterChanges[]> {
  const { url, branch } = fleet.repository;
  const selected = selectClusters(fleet, cluster ? { names: cluster } : {});
  const stages = stage === undefined ? undefined : stagesOf(stage, fleet, selected);
  if (server === true) return (look) => serverChanges(selected, url, look);
  return async ({ trees, pinned, builder, after: updated }) => {
    const compare = ({ clusters, before, after }: Comparison) =>
      changesBetween(clusters, { url, pinned }, before, after, builder);
    if (stages !== undefined) return compare(promotion(stages, trees));
    const tree = trees.committed ?? noFiles;
    const after = { tree: updated(branch), branch, clusters: fleet.clusters };
    if (base === undefined) return compare({ clusters: selected, before: { tree, branch }, after });
    return withCheckout(dirname(resolve(file)), base, async (checkout) => {
      const old = await fleetAt(checkout, file, base);
      // Where the fleet file lies in the repository that it is about, that commit is also what was there.
      const isSame = repo !== undefined && realpathSync(repo) === realpathSync(checkout.clone);
      const before = {
        tree: await treeAfterUpdate(old, isSame ? folderTree(checkout.root) : tree),
        branch,
        clusters: old.clusters,
      };
      const gone = old.clusters.filter(({ name }) => !fleet.clusters.some((each) => each.name === name));
      const clusters = cluster === undefined ? [...selected, ...gone] : selected;
      return compare({ clusters, before, after });
    });
  };
}

interface Stages {
  readonly from: string;
  readonly to: string;
  readonly clusters: readonly Cluster[];
}

/** Branches of two stages, and the clusters of the second, which a promotion reaches. */
function stagesOf(names: readonly string[], fleet: Fleet, selected: readonly Cluster[]): Stages {
  const [from, to, ...more] = names;
  if (from === undefined || to === undefined || more.length > 0)
    throw new UsageError("--stage is given twice: where changes come from, and where they go.");
  const branchOf = (stage: string): string => {
    const found = fleet.stages.find(({ name }) => name === stage);
    if (found === undefined || !fleet.clusters.some((each) => isIn(each, found)))
      throw new UsageError(`No cluster is in stage ${stage}. Name a stage that has some.`);
    return found.branch;
  };
  return {
    from: branchOf(from),
    to: branchOf(to),
    clusters: selected.filter((each) => fleet.stages.some((stage) => stage.name === to && isIn(each, stage))),
  };
}

function promotion({ from, to, clusters }: Stages, { followed }: RepositoryTrees): Comparison {
  const sideOf = (branch: string): Side => {
    const tree = followed.get(branch);
    if (tree === undefined) throw new UsageError(`Branch ${branch} is not there, so it cannot be compared.`);
    return { tree, branch: to };
  };
  return { clusters, before: sideOf(to), after: sideOf(from) };
}

import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Option } from "commander";
import { openBuilder } from "../build/index.ts";
import { EngineMissing } from "../checks/built/index.ts";
import { folderTree } from "../checks/folderTree.ts";
import { openRepository } from "../checks/openRepository.ts";
import { type PinnedTrees, pinnedTrees } from "../checks/pinnedTrees.ts";
import type { RepositoryTree, RepositoryTrees } from "../checks/repositoryTree.ts";
import type { Fleet } from "../fleet/model.ts";
import { type Checkout, withCheckout } from "../git/index.ts";
import { type Impact, impactOf, type Version } from "../impact/index.ts";
import { asMap, asText } from "../values/maps.ts";
import { cloneUrl, isSameRepository } from "../values/repositoryUrl.ts";
import { showNames } from "../values/show.ts";
import { command, fleetFile, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { withAuthorities } from "./authorities.ts";
import { fleetAt } from "./fleetAt.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { gitContext } from "./gitContext.ts";
import { impactMarkdown, impactText } from "./impactText.ts";
import type { Terminal } from "./terminal.ts";

const formats = ["text", "markdown", "json"] as const;

interface ImpactOptions {
  readonly base: string;
  readonly head?: string;
  readonly into?: string;
  readonly repo?: string;
  readonly format: (typeof formats)[number];
  readonly json?: boolean;
}

export const registerImpact: Register = (program, terminal, done) => {
  command(
    program,
    "impact",
    "Say which clusters, stages and sets a change reaches, by which way, and what a pin or a stage holds.",
    [
      "arcflux impact --base origin/main                # of what lies in this clone",
      "arcflux impact --base origin/main --head HEAD --format markdown",
      "arcflux impact --base origin/prod --head origin/test   # of a promotion",
    ],
  )
    .addArgument(fleetFile())
    .requiredOption(
      "--base <ref>",
      "the commit before the change, of the clone that holds the fleet file",
      notEmpty,
    )
    .option("--head <ref>", "the commit with the change. Default: the clone as it lies on disk", notEmpty)
    .option(
      "--into <branch>",
      "the branch that it goes to. Default: the one that --base names where clusters follow it, else repository.branch",
      notEmpty,
    )
    .option("--repo <path or URL>", "the repository, where it is not the fleet's own URL", notEmpty)
    .addOption(new Option("--format <format>", "how to write it").choices(formats).default("text"))
    .option("--json", "the same as --format json")
    .action(async (file: string, options: ImpactOptions) => done(await impact(file, options, terminal)));
};

/** `arcflux impact`: 3 where a stage with `production: true` is reached, or loses what holds it; else 0. */
export function impact(file: string, options: ImpactOptions, terminal: Terminal): Promise<ExitCode> {
  const json = options.json === true || options.format === "json";
  return fleetCommand(file, { json }, terminal, { reached: [], held: [] }, ({ fleet }) =>
    withCheckout(dirname(resolve(file)), options.base, async (base) => {
      const found = await withHead(file, fleet, options.head, base.clone, (head) =>
        impactBetween(file, base, head, options),
      );
      const production = found.lostGuards.length > 0 || found.stages.some((stage) => stage.production);
      const sets = [...new Set(found.reached.map(({ set }) => set))];
      return {
        document: { base: base.commit, production, sets, ...found },
        print: () => terminal.out(options.format === "markdown" ? impactMarkdown(found) : impactText(found)),
        code: production ? exitCodes.production : exitCodes.done,
      };
    }),
  );
}

/** The fleet with the change, and the folder of the clone's files that it goes with. */
interface Head {
  readonly fleet: Fleet;
  readonly root: string;
}

function withHead<T>(
  file: string,
  fleet: Fleet,
  ref: string | undefined,
  clone: string,
  use: (head: Head) => Promise<T>,
): Promise<T> {
  if (ref === undefined) return use({ fleet, root: clone });
  return withCheckout(dirname(resolve(file)), ref, async (checkout) =>
    use({ fleet: await fleetAt(checkout, file, ref), root: checkout.root }),
  );
}

async function impactBetween(
  file: string,
  base: Checkout,
  head: Head,
  { base: ref, into: said, repo }: ImpactOptions,
): Promise<Impact> {
  const { fleet } = head;
  const old = await fleetAt(base, file, ref);
  const { url, branch } = fleet.repository;
  // Where the fleet file lies in the repository that it is about, the commits also say what was and is there.
  const isSame =
    repo === undefined
      ? base.remotes.some((remote) => isSameRepository(remote, url))
      : isSamePath(repo, base.clone) || base.remotes.some((remote) => isSameRepository(remote, repo));
  const follows = [...new Set([...old.clusters, ...fleet.clusters].map((cluster) => cluster.follows))];
  const into = isSame ? (said ?? follows.find((name) => names(ref, name)) ?? branch) : branch;
  if (said !== undefined && said !== into)
    throw new UsageError(
      `--into is for a fleet file that lies in its GitOps repository; this one changes ${branch} by an update. Leave it out.`,
    );
  const known = new Set([...follows, ...[old, fleet].flatMap(branchesOf)]);
  if (!known.has(into))
    throw new UsageError(
      `No cluster and no stage follows a branch ${into}. Write --into with one of ${showNames(known)}.`,
    );
  const others = follows.filter((name) => name !== into);
  const builder = openBuilder();
  if ("kind" in builder) throw new EngineMissing(builder.message);
  const compare = (
    trees: ReadonlyMap<string, RepositoryTree>,
    pinned: PinnedTrees,
    [before, after]: readonly [RepositoryTree, RepositoryTree],
  ): Promise<Impact> => {
    const sides: readonly [Version, Version] = [
      { fleet: withAuthorities(old), tree: before },
      { fleet: withAuthorities(fleet), tree: after },
    ];
    return impactOf(...sides, { into, others: trees, pinned, builder });
  };
  const versions = [folderTree(base.root), folderTree(head.root)] as const;
  try {
    if (isSame && others.length === 0 && ![old, fleet].some(hasOwnPins))
      return await compare(new Map(), () => Promise.resolve(undefined), versions);
    const place = {
      location: repo === undefined ? url : cloneUrl(repo),
      ...{ branch: into, follows: others, committed: repo === undefined },
    };
    return await openRepository(place, gitContext(fleet), async (trees) => {
      const missing = others.find((name) => !trees.followed.has(name));
      if (missing !== undefined)
        throw new UsageError(
          `There is no branch ${missing}, which clusters follow, so nobody can tell what reaches them. ${
            repo === undefined
              ? "Run pulumi up"
              : `Run git fetch in ${repo} where origin has it, or leave --repo out`
          }, or correct the stage.`,
        );
      return compare(
        without(trees.followed, into),
        pinnedTrees(trees),
        isSame ? versions : bothAt(trees, into),
      );
    });
  } finally {
    await builder.close();
  }
}

function bothAt({ committed }: RepositoryTrees, into: string): readonly [RepositoryTree, RepositoryTree] {
  if (committed !== undefined) return [committed, committed];
  throw new UsageError(`There is no branch ${into} yet, so nothing can be compared. Run pulumi up first.`);
}

function without<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  return new Map([...map].filter(([each]) => each !== key));
}

/** Whether a ref is a branch of that name, of the clone or of one of its remotes. */
function names(ref: string, branch: string): boolean {
  const short = ref.replace(/^refs\/(heads|remotes)\//, "");
  return short === branch || short.slice(short.indexOf("/") + 1) === branch;
}

/** Branches that a change may go to: of updates, of stages, and of sources of the fleet's own repository. */
function branchesOf({ repository, stages, clusters }: Fleet): string[] {
  const sources = clusters.flatMap((cluster) => cluster.sources.filter(({ self }) => self));
  const pinned = sources.flatMap(({ spec }) => asText(asMap(spec["ref"])["branch"]) ?? []);
  return [repository.branch, ...stages.map(({ branch }) => branch), ...pinned];
}

function hasOwnPins({ clusters }: Fleet): boolean {
  return clusters.some(({ sources }) => sources.some(({ self }) => self));
}

function isSamePath(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

import type { BuiltOptions } from "../checks/built/index.ts";
import type { Fault } from "../checks/fault.ts";
import type { RepositoryTree, RepositoryTrees } from "../checks/repositoryTree.ts";
import type { Fleet } from "../fleet/model.ts";
import { type Branches, type BranchLine, type Refs, type ToldCommit, withBranches } from "../git/index.ts";
import { commitOn, mustRead, short, signatureOf, StageError, type World } from "../stages/index.ts";
import { tagFault } from "../values/branch.ts";
import { folder, pathFault } from "../values/repositoryPath.ts";
import { show } from "../values/show.ts";
import { judgeRelease } from "./judgeRelease.ts";
import { commitsSince, type Since } from "./since.ts";
import { type PinnedClusters, pinnedNow, takersOf } from "./takers.ts";

export interface ReleaseRequest {
  /** The tag. */
  readonly name: string;
  /** Folder that is released, in any spelling. */
  readonly path: string;
  /** Hash, or the beginning of one, on the branch that is committed to. Defaults to its tip. */
  readonly commit?: string | undefined;
  /** Only looks. */
  readonly dryRun: boolean;
}

export interface Released {
  readonly commit: ToldCommit;
  readonly branch: string;
  readonly since: Since;
  /** Where clusters that take something of the folder are now. */
  readonly pinned: readonly PinnedClusters[];
  readonly clusters: number;
  /** Different builds of what they take. */
  readonly builds: number;
  /** Everything that was found; with an error among it, or where it was only asked, there is no tag. */
  readonly faults: readonly Fault[];
  readonly tag?: { readonly id: string; readonly isSigned: boolean };
}

/**
 * Tags a commit of the branch that is committed to, once everything below the folder builds for every cluster that takes it.
 * A tag that is there stays, whatever it is for. `stops` says whether what was found stops the release. Rejects with
 * StageError, EngineMissing or GitError.
 */
export async function release(
  fleet: Fleet,
  request: ReleaseRequest,
  { git }: Pick<World, "git">,
  built: BuiltOptions,
  stops: (faults: readonly Fault[]) => boolean,
): Promise<Released> {
  const { name, dryRun } = request;
  const path = checked(request);
  const takers = takersOf(fleet, path);
  if (takers.length === 0)
    throw new StageError(
      `No cluster takes anything below ${show(`./${path}`)} from a source with \`url: self\`, so nothing could be pinned to ${name}. Declare one under \`sources\`, or correct --path.`,
    );
  const { branch } = fleet.repository;
  return withBranches(fleet.repository.url, git, async (repository) => {
    const refs = await repository.refs();
    refuseTaken(name, refs, request.commit);
    const line = await mustRead(repository, branch, "is what updates commit to");
    const commit = request.commit === undefined ? line.line[0] : commitOn(line, request.commit);
    const trees = await treesOf(fleet, repository, branch, commit);
    const since = await commitsSince(repository, line, commit, path, refs);
    const { faults, builds } = await judgeRelease(fleet, takers, trees, built);
    const found = {
      ...{ commit, branch, since, faults, builds, clusters: takers.length },
      pinned: pinnedNow(takers, name, refs.tags),
    };
    if (dryRun || stops(faults)) return found;
    const { author, signing } = await signatureOf(fleet, git);
    const message = messageOf(name, path, since);
    const made = await repository.tag({
      ...{ name, commit: commit.id, message, tagger: author },
      ...(signing && { signing }),
    });
    if (!(await repository.pushTag(made.id, name)))
      throw new StageError(
        `Somebody made the tag ${name} meanwhile. It stays as it is; choose another name.`,
      );
    return { ...found, tag: made };
  });
}

/** The folder as git names it. Throws StageError where name or folder cannot be. */
function checked({ name, path }: ReleaseRequest): string {
  const faults = [
    [`the tag ${show(name)}`, tagFault(name)],
    [`--path ${show(path)}`, pathFault(path)],
  ].flatMap(([what, fault]) => (fault === undefined ? [] : [`${what!} ${fault}.`]));
  if (faults.length > 0) throw new StageError(faults.join("\n"));
  return folder(path);
}

/** Who fetched a tag has it for good, so one that is there is never moved. */
function refuseTaken(name: string, { commits, tags }: Refs, commit: string | undefined): void {
  if (!tags.includes(name)) return;
  const at = commits[name];
  const same = at !== undefined && commit !== undefined && at.startsWith(commit) ? " already" : "";
  const where = at === undefined ? "" : `, at ${short(at)}`;
  throw new StageError(
    `The tag ${name} is there${same}${where}, and a release never moves one. Choose another name.`,
  );
}

/** The repository at the commit, and at the branches that clusters follow. */
async function treesOf(
  fleet: Fleet,
  repository: Branches,
  branch: BranchLine["branch"],
  commit: ToldCommit,
): Promise<RepositoryTrees> {
  const committed = repository.reader(branch, commit);
  const followed = new Map<string, RepositoryTree>([[branch, committed]]);
  for (const name of new Set(fleet.clusters.map(({ follows }) => follows))) {
    const tree = name === branch ? undefined : await repository.revision(`refs/heads/${name}`);
    if (tree !== undefined) followed.set(name, tree);
  }
  return {
    ...{ committed, followed },
    refs: () => repository.refs(),
    at: (revision) => repository.revision(revision),
  };
}

/** Commits that a tag lists. */
const mostListed = 100;

function messageOf(name: string, path: string, { last, commits }: Since): string {
  const list = commits.slice(0, mostListed).map(({ id, subject }) => `- ${short(id)} ${subject}`);
  const more = commits.length > mostListed ? [`- and ${commits.length - mostListed} more`] : [];
  const head = `./${path}${last === undefined ? "" : ` since ${last}`}:`;
  return `${[`Release ${name}`, "", head, "", ...(list.length === 0 ? ["- nothing"] : list), ...more].join("\n")}\n`;
}

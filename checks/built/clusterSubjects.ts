import { type Builder, type BuildOutcome, type BuildRequest, normalFolder } from "../../build/index.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import type { Build, ClusterSubject, Subject } from "../../judge/index.ts";
import { fluxUrl } from "../../fleet/sourceUrl.ts";
import { folderOf, nameOf } from "../../values/path.ts";
import { documents } from "../documents.ts";
import { kustomizeNames } from "../kustomizeFolder.ts";
import { type RepositoryReader, repositoryReader } from "../repositoryReader.ts";
import { type FillFaults, fillFaults } from "./fillFaults.ts";
import { appliedSources, handSets } from "./handSets.ts";
import { looked } from "./looked.ts";
import { planBootstrap, type Planned, planSet, planTenant, type ReaderOf } from "./plan.ts";
import { keyOf } from "./request.ts";
import { declaredSources, type OwnSource, type Trees } from "./sourceOf.ts";

/** What the clusters of a fleet apply, and what of it was not looked at. */
export interface BuiltFleet {
  readonly clusters: readonly ClusterSubject[];
  /** Sets whose manifests lie elsewhere, with where: `team-catalog` to `OCIRepository team-catalog lies elsewhere`. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

/** Builds what every cluster of a fleet applies after an update. */
export async function clusterSubjects(
  fleet: Fleet,
  trees: Trees,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<BuiltFleet> {
  const readers = new Map<Trees["committed"], RepositoryReader>();
  const readerOf = (tree: NonNullable<Trees["committed"]>): RepositoryReader => {
    const found = readers.get(tree) ?? repositoryReader(tree);
    readers.set(tree, found);
    return found;
  };
  const elsewhere = new Map<string, string>();
  const url = fluxUrl(fleet.repository.url);
  const seen = { buildsFor: buildsOnce(), fillFault: fillFaults(builder), readerOf };
  const clusters = fleet.clusters.map((cluster) => ({
    cluster,
    subjects: [] as Subject[],
    known: new Set(cluster.sets.map(({ name }) => name)),
  }));
  const place = { trees, readerOf, elsewhere };
  let planned: (Planned | undefined)[][] = await Promise.all(
    fleet.clusters.map(async (cluster) => [
      ...(await Promise.all([
        planBootstrap(cluster, fleet, trees, rendered.get(cluster) ?? new Map()),
        ...cluster.sets.map((set) =>
          planSet(cluster, set, { ...place, ownSource: declaredSources(cluster) }),
        ),
      ])),
      ...cluster.tenants.map((tenant) => planTenant(cluster, tenant)),
    ]),
  );
  for (let level = 0; planned.some((sets) => sets.length > 0) && level < mostLevels; level++) {
    const outcomes = await buildAll(planned.flat(), builder);
    planned = await Promise.all(
      clusters.map(async ({ cluster, subjects, known }, index) => {
        const found = await Promise.all(planned[index]!.map((each) => subjectOf(each, outcomes, seen)));
        const fresh = found.filter((each) => each !== undefined);
        subjects.push(...fresh);
        const tree = trees.followed.get(cluster.follows) ?? trees.committed;
        const more = await handSets(fresh, known, tree && readerOf(tree));
        const [declared, applied] = [declaredSources(cluster), appliedSources(subjects, url)];
        const ownSource: OwnSource = (name) => declared(name) ?? applied(name);
        return Promise.all(more.map((set) => planSet(cluster, set, { ...place, ownSource })));
      }),
    );
  }
  return { clusters, elsewhere };
}

/** Kustomizations that apply Kustomizations are followed so far; nobody nests them deeper on purpose. */
const mostLevels = 5;

/** One question for everything that is to be built; the builder builds what is the same once. */
async function buildAll(
  planned: readonly (Planned | undefined)[],
  builder: Pick<Builder, "build">,
): Promise<ReadonlyMap<BuildRequest, BuildOutcome>> {
  const requests = planned.flatMap((each) =>
    [each?.request, each?.bare].filter((request) => request !== undefined),
  );
  if (requests.length === 0) return new Map();
  const outcomes = await builder.build(requests);
  return new Map(requests.map((request, index) => [request, outcomes[index]!]));
}

/** Builds in the words of the judgements, made once for each outcome, which many sets share. */
type BuildsOf = (outcome: BuildOutcome, path: string, reader: RepositoryReader) => Promise<Build>;

function buildsOnce(): BuildsOf {
  const known = new Map<BuildOutcome, Promise<Build>>();
  return (outcome, path, reader) => {
    const found = known.get(outcome) ?? withConfig(outcome, path, reader);
    known.set(outcome, found);
    return found;
  };
}

/** What is made once and used by all. */
interface Seen {
  readonly buildsFor: BuildsOf;
  readonly fillFault: FillFaults;
  readonly readerOf: ReaderOf;
}

async function subjectOf(
  planned: Planned | undefined,
  outcomes: ReadonlyMap<BuildRequest, BuildOutcome>,
  { buildsFor, fillFault, readerOf }: Seen,
): Promise<Subject | undefined> {
  if (planned === undefined) return undefined;
  const { cluster, set, known, request, bare: bareRequest, isBootstrap, absentComponents } = planned;
  const path = normalFolder(set.spec.path);
  const built = async (one: BuildRequest | undefined): Promise<Build | undefined> =>
    one && buildsFor(outcomes.get(one)!, path, readerOf(one.tree));
  const outcome = request && outcomes.get(request);
  const fault = outcome?.kind === "built" ? await fillFault(set, cluster.flux.version, outcome) : undefined;
  const build: Build =
    fault === undefined ? (known ?? (await built(request))!) : { kind: "failed", message: fault };
  const content = outcome === undefined ? [cluster.name, set.name, build.kind] : (fault ?? keyOf(outcome));
  return {
    content: JSON.stringify(content),
    files: outcome?.kind === "built" ? outcome.files : [],
    cluster,
    set,
    build,
    bare: (await built(bareRequest)) ?? build,
    absentComponents,
    isBootstrap,
  };
}

/** A build with what only the repository tells of it, and the kustomize configuration of its folder. */
async function withConfig(outcome: BuildOutcome, path: string, reader: RepositoryReader): Promise<Build> {
  const build = await looked(outcome, path, reader);
  if (build.kind !== "built" || outcome.kind !== "built") return build;
  const file = outcome.files.find((each) => folderOf(each) === path && kustomizeNames.includes(nameOf(each)));
  const value = file === undefined ? undefined : documents((await reader.read(file)) ?? "")?.[0];
  return file === undefined || value === undefined ? build : { ...build, config: { file, value } };
}

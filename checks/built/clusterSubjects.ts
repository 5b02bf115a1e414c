import type { Builder, BuildOutcome, BuildRequest } from "../../build/index.ts";
import { normalFolder } from "../../build/index.ts";
import type { Cluster, ClusterSet, Fleet } from "../../fleet/model.ts";
import { fluxObjects } from "../../flux/folder.ts";
import { builtObject, type Build, type ClusterSubject, type Subject } from "../../judge/index.ts";
import { asList, asText } from "../../values/maps.ts";
import { folderOf, nameOf } from "../../values/path.ts";
import { documents } from "../documents.ts";
import { handWritten } from "../handWritten.ts";
import { kustomizeNames } from "../kustomizeFolder.ts";
import { locateFolder } from "../locateFolder.ts";
import { relativePath } from "../relativePath.ts";
import { type RepositoryReader, repositoryReader } from "../repositoryReader.ts";
import { looked } from "./looked.ts";
import { bareSpec, buildOf, keyOf } from "./request.ts";
import { sourceOf, type Trees } from "./sourceOf.ts";

/** What the clusters of a fleet apply, and what of it was not looked at. */
export interface BuiltFleet {
  readonly clusters: readonly ClusterSubject[];
  /** Sets whose manifests lie elsewhere, with where: `team-catalog` to `OCIRepository team-catalog lies elsewhere`. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

/** A set with what has to be built for it, which many sets share. */
interface Planned {
  readonly cluster: Cluster;
  readonly set: ClusterSet;
  readonly isBootstrap: boolean;
  readonly absentComponents: Subject["absentComponents"];
  /** In the place of a build. */
  readonly known?: Build;
  readonly request?: BuildRequest;
  readonly bare?: BuildRequest;
}

/** Name of the bootstrap among the sets of a cluster: no set may be called that. */
const bootstrap = "bootstrap";

/** Builds what every cluster of a fleet applies after an update. */
export async function clusterSubjects(
  fleet: Fleet,
  trees: Trees,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  builder: Pick<Builder, "build">,
): Promise<BuiltFleet> {
  const readers = new Map<Trees["committed"], RepositoryReader>();
  const readerOf = (tree: NonNullable<Trees["committed"]>): RepositoryReader => {
    const found = readers.get(tree) ?? repositoryReader(tree);
    readers.set(tree, found);
    return found;
  };
  const elsewhere = new Map<string, string>();
  const planned = await Promise.all(
    fleet.clusters.map((cluster) =>
      Promise.all([
        planBootstrap(cluster, fleet, trees, rendered.get(cluster) ?? new Map()),
        ...cluster.sets.map((set) => planSet(cluster, set, trees, readerOf, elsewhere)),
      ]),
    ),
  );
  const outcomes = await buildAll(planned.flat(), builder);
  const buildsFor = buildsOnce();
  const clusters = await Promise.all(
    planned.map(async (sets, index): Promise<ClusterSubject> => {
      const found = await Promise.all(sets.map((each) => subjectOf(each, outcomes, buildsFor, readerOf)));
      return { cluster: fleet.clusters[index]!, subjects: found.filter((each) => each !== undefined) };
    }),
  );
  return { clusters, elsewhere };
}

/** The flux folder: what is generated is known, and built only where others have put something beside it. */
async function planBootstrap(
  cluster: Cluster,
  fleet: Fleet,
  trees: Trees,
  files: ReadonlyMap<string, string>,
): Promise<Planned> {
  const { interval, prune } = cluster.bootstrap;
  const path = `./${cluster.fluxFolder}`;
  const set: ClusterSet = {
    name: bootstrap,
    labels: {},
    annotations: {},
    dependsOn: [],
    sourceRef: { kind: "GitRepository", name: cluster.config },
    spec: { path, interval, prune },
  };
  const plan = { cluster, set, isBootstrap: true, absentComponents: [] };
  const tree = trees.followed.get(cluster.follows) ?? trees.committed;
  const reader = trees.before.followed.get(cluster.follows) ?? trees.before.committed;
  if (tree !== undefined && reader !== undefined) {
    const found = await handWritten(cluster, new Set(files.keys()), reader);
    const left = await isLeftOut(cluster, reader);
    if (found.configs.length + found.misnamed.length + found.manifests.length > 0 || left)
      return { ...plan, request: { tree, spec: set.spec } };
  }
  const objects = fluxObjects(cluster, fleet.repository.access).flatMap(([name, all]) =>
    all.map((object) => builtObject(object, `${cluster.fluxFolder}/${name}.yaml`)),
  );
  return { ...plan, known: { kind: "built", objects } };
}

/** Whether the repository has a .sourceignore on the way to the flux folder, which may keep it from the cluster. */
async function isLeftOut({ fluxFolder }: Cluster, reader: RepositoryReader): Promise<boolean> {
  const parts = fluxFolder === "" ? [] : fluxFolder.split("/");
  const folders = ["", ...parts.map((_, depth) => parts.slice(0, depth + 1).join("/"))];
  const lists = await Promise.all(folders.map((folder) => reader.list(folder)));
  return lists.some((entries) => entries?.some(({ name }) => name === ".sourceignore") === true);
}

async function planSet(
  cluster: Cluster,
  set: ClusterSet,
  trees: Trees,
  readerOf: (tree: NonNullable<Trees["committed"]>) => RepositoryReader,
  elsewhere: Map<string, string>,
): Promise<Planned | undefined> {
  const source = sourceOf(set, cluster);
  if ("elsewhere" in source) {
    elsewhere.set(set.name, source.elsewhere);
    return undefined;
  }
  const path = normalFolder(set.spec.path);
  // What a branch does not have yet may come to it with the promotion that brings the set.
  for (const tree of new Set([trees.followed.get(source.branch), trees.committed])) {
    if (tree === undefined) continue;
    const reader = readerOf(tree);
    const located = await locateFolder(path, reader);
    if (located.kind !== "folder" && located.kind !== "elsewhere") continue;
    const bare = bareSpec(set);
    const { view } = source;
    return {
      cluster,
      set,
      isBootstrap: false,
      absentComponents: await absent(set, path, reader),
      request: { tree, view, spec: set.spec },
      ...(bare !== undefined && { bare: { tree, view, spec: bare } }),
    };
  }
  if (!trees.followed.has(source.branch) && trees.committed === undefined) {
    elsewhere.set(set.name, `branch ${source.branch} was not read`);
    return undefined;
  }
  const known = { kind: "missing", path, left: false } as const;
  return { cluster, set, isBootstrap: false, absentComponents: [], known };
}

/** Components that are not there, and that the set says to pass over. */
async function absent(
  { spec }: ClusterSet,
  path: string,
  reader: RepositoryReader,
): Promise<Subject["absentComponents"]> {
  if (spec["ignoreMissingComponents"] !== true) return [];
  const found = await Promise.all(
    asList(spec["components"]).map(async (entry) => {
      const component = asText(entry) ?? "";
      const target = relativePath(path, component);
      const located = target === undefined ? undefined : await locateFolder(target, reader);
      if (located?.kind !== "missing") return [];
      return [{ path: component, ...(located.near !== undefined && { near: `./${located.near}` }) }];
    }),
  );
  return found.flat();
}

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

async function subjectOf(
  planned: Planned | undefined,
  outcomes: ReadonlyMap<BuildRequest, BuildOutcome>,
  buildsFor: BuildsOf,
  readerOf: (tree: NonNullable<Trees["committed"]>) => RepositoryReader,
): Promise<Subject | undefined> {
  if (planned === undefined) return undefined;
  const { cluster, set, known, request, bare: bareRequest, isBootstrap, absentComponents } = planned;
  const path = normalFolder(set.spec.path);
  const built = async (one: BuildRequest | undefined): Promise<Build | undefined> =>
    one && buildsFor(outcomes.get(one)!, path, readerOf(one.tree));
  const build = known ?? (await built(request))!;
  const outcome = request && outcomes.get(request);
  const { postBuild, ...spec } = set.spec;
  const { substitute, ...rest } = (postBuild ?? {}) as Readonly<Record<string, unknown>>;
  return {
    key: JSON.stringify([
      outcome === undefined ? [cluster.name, set.name, build.kind] : keyOf(outcome),
      set.name,
      set.window,
      set.sourceRef,
      cluster.flux.version,
      spec,
      rest,
      absentComponents,
    ]),
    variablesKey: JSON.stringify(substitute ?? {}),
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
  const build = await looked(buildOf(outcome, path), path, reader);
  if (build.kind !== "built" || outcome.kind !== "built") return build;
  const file = outcome.files.find((each) => folderOf(each) === path && kustomizeNames.includes(nameOf(each)));
  const value = file === undefined ? undefined : documents((await reader.read(file)) ?? "")?.[0];
  return file === undefined || value === undefined ? build : { ...build, config: { file, value } };
}

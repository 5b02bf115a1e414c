import { type BuildRequest, normalFolder } from "../../build/index.ts";
import type { Cluster, ClusterSet, Fleet, Tenant } from "../../fleet/model.ts";
import { tenantObject, tenantsFolder } from "../../fleet/resolveTenants.ts";
import { tenantFolder } from "../../flux/tenant.ts";
import { fullPath } from "../../values/path.ts";
import { fluxObjects } from "../../flux/folder.ts";
import { needsRepositorySecret } from "../../flux/repositorySecret.ts";
import { type Build, builtObject, type Subject } from "../../judge/index.ts";
import { asList, asText } from "../../values/maps.ts";
import { foldersDownTo } from "../foldersDownTo.ts";
import { handWritten } from "../handWritten.ts";
import { locateFolder } from "../locateFolder.ts";
import { pinText } from "../pinnedTrees.ts";
import { relativePath } from "../relativePath.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { bareSpec } from "./request.ts";
import { type OwnSource, sourceOf, type Trees } from "./sourceOf.ts";

/** One reader for each tree. */
export type ReaderOf = (tree: NonNullable<Trees["committed"]>) => RepositoryReader;

/** A set with what has to be built for it, which many sets share. */
export interface Planned {
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

/** The flux folder: what is generated is known, and built only where others have put something beside it. */
export async function planBootstrap(
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
  const objects = fluxObjects(cluster, needsRepositorySecret(fleet.repository)).flatMap(([name, all]) =>
    all.map((object) => builtObject(object, `${cluster.fluxFolder}/${name}.yaml`)),
  );
  return { ...plan, known: { kind: "built", objects } };
}

/** What the generated Kustomization of a tenant applies, which is known. */
export function planTenant(cluster: Cluster, tenant: Tenant): Planned {
  const { interval, prune } = cluster.bootstrap;
  const folder = fullPath(cluster.folder, `${tenantsFolder}/${tenant.name}`);
  const set: ClusterSet = {
    name: tenantObject(tenant.name),
    labels: {},
    annotations: {},
    dependsOn: [],
    sourceRef: { kind: "GitRepository", name: cluster.config },
    spec: { path: `./${folder}`, interval, prune },
  };
  const objects = tenantFolder(tenant).flatMap(([name, documents]) =>
    documents.map((object) => builtObject(object, `${folder}/${name}.yaml`)),
  );
  return { cluster, set, isBootstrap: false, absentComponents: [], known: { kind: "built", objects } };
}

/** Whether the repository has a .sourceignore on the way to the flux folder, which may keep it from the cluster. */
async function isLeftOut({ fluxFolder }: Cluster, reader: RepositoryReader): Promise<boolean> {
  const lists = await Promise.all(foldersDownTo(fluxFolder).map((folder) => reader.list(folder)));
  return lists.some((entries) => entries?.some(({ name }) => name === ".sourceignore") === true);
}

/** How the sets of a cluster are planned. */
export interface SetPlace {
  readonly trees: Trees;
  readonly readerOf: ReaderOf;
  readonly ownSource: OwnSource;
  /** Learns of sets whose manifests lie elsewhere, with where. */
  readonly elsewhere: Map<string, string>;
}

/** A set of the fleet's own repository; undefined, with a word in `elsewhere`, where its manifests lie elsewhere. */
export async function planSet(
  cluster: Cluster,
  set: ClusterSet,
  { trees, readerOf, ownSource, elsewhere }: SetPlace,
): Promise<Planned | undefined> {
  const source = sourceOf(set, cluster, ownSource, trees.followed);
  if ("elsewhere" in source) {
    elsewhere.set(set.name, source.elsewhere);
    return undefined;
  }
  const path = normalFolder(set.spec.path);
  // What a branch does not have yet may come to it with the promotion that brings the set.
  const places =
    "branch" in source
      ? [trees.followed.get(source.branch), trees.committed]
      : [await trees.pinned(source.ref)];
  let near: string | undefined;
  for (const tree of new Set(places)) {
    if (tree === undefined) continue;
    const reader = readerOf(tree);
    const located = await locateFolder(path, reader);
    if (located.kind === "missing") near ??= located.near;
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
  const revision = "branch" in source ? undefined : pinText(source.ref);
  if (places.every((tree) => tree === undefined)) {
    const unread = revision ?? `branch ${"branch" in source ? source.branch : ""}`;
    elsewhere.set(set.name, `${unread} of ${set.sourceRef.name} could not be read`);
    return undefined;
  }
  const pin = revision === undefined ? {} : { revision, near };
  const known = { kind: "missing", path, left: false, ...pin } as const;
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

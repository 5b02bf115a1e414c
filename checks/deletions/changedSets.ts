import { type Cluster, type ClusterSet, fluxNamespace, namespaceOf } from "../../fleet/model.ts";
import { windowObject, windowsFolder } from "../../fleet/window/resolveWindows.ts";
import { folder, normalPath } from "../../values/repositoryPath.ts";
import { asMap, asText } from "../documents.ts";
import { isOurs } from "../generatedFiles.ts";
import { isFluxKustomization, type KubernetesObject, kubernetesObjects } from "../kubernetesObject.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { hasBytes } from "../sameBytes.ts";
import type { Deletion, Remark } from "./deletion.ts";

/** Where a set is, and where it takes what it applies from. */
interface Place {
  readonly namespace: string;
  readonly path: string;
  /** Kind and name of its source, and the URL of that where it is known. */
  readonly source: string;
  readonly url: string | undefined;
}

/**
 * Sets that stay and take from another place than on the branch that their cluster follows: Flux deletes what the old
 * place has and the new one has not. Another ref of the same source is no other place. Only files whose bytes differ are
 * read. `url` is that of the fleet's own repository, which a cluster's GitRepository and `url: self` stand for.
 */
export async function changedSets(
  cluster: Cluster,
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader,
  coming: RepositoryReader,
  url: string,
): Promise<Remark[]> {
  const changed = await changedFiles(cluster, files, reader);
  const remarks = await Promise.all(
    cluster.sets.map(async (set): Promise<Remark[]> => {
      const folder = setFolder(cluster, set.window);
      const pathOf = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
      const sourceFile = pathOf(`source-${set.sourceRef.name}.yaml`);
      const before = changed.get(pathOf(`${set.name}.yaml`));
      // A source that changes its URL changes every set that takes from it, though their files stay.
      if (before === undefined && !changed.has(sourceFile)) return [];
      const old = objectOf(before ?? files.get(pathOf(`${set.name}.yaml`)) ?? "", set.name);
      if (old === undefined) return [];
      // What leaves a namespace is deleted as it was; what stays prunes by what it is from now on.
      const prunes = old.namespace === namespaceOf(set) ? set.spec.prune : old.spec["prune"];
      if (prunes !== true) return [];
      const sourceText = async (name: string) => (await reader.read(pathOf(`source-${name}.yaml`))) ?? "";
      const was = await placeOf(old, set, sourceText, cluster, url);
      const now: Place = {
        namespace: namespaceOf(set),
        path: normalPath(set.spec.path),
        source: sourceName(set.sourceRef),
        url: urlOf(set, cluster, url),
      };
      return difference(set, cluster, was, now, await isMoved(was, now));
    }),
  );
  return remarks.flat();

  /** Whether a folder of the same repository was moved as it is. */
  async function isMoved(was: Place, now: Place): Promise<boolean> {
    if (was.path === now.path || was.url !== url || now.url !== url) return false;
    const [before, after] = await Promise.all([idOf(reader, was.path), idOf(coming, now.path)]);
    return before !== undefined && before === after;
  }
}

/** Where the Kustomizations of sets lie: in the flux folder, or in the folder of their window. */
function setFolder({ folder, fluxFolder }: Cluster, window: string | undefined): string {
  if (window === undefined) return fluxFolder;
  return `${folder === "" ? "" : `${folder}/`}${windowsFolder}/${window}`;
}

/** Generated Kustomizations and sources that are on the branch with other bytes, by path. */
async function changedFiles(
  cluster: Cluster,
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader,
): Promise<ReadonlyMap<string, string>> {
  const folders = [undefined, ...cluster.windows.map(({ name }) => name)].map((window) =>
    setFolder(cluster, window),
  );
  const entries = await Promise.all(
    folders.map(async (folder) =>
      ((await reader.list(folder)) ?? []).map((entry) => ({
        entry,
        path: folder === "" ? entry.name : `${folder}/${entry.name}`,
      })),
    ),
  );
  const found = await Promise.all(
    entries.flat().map(async ({ entry, path }) => {
      const wanted = files.get(path);
      if (entry.kind !== "file" || wanted === undefined || hasBytes(entry, wanted)) return [];
      const text = (await reader.read(path)) ?? "";
      return text === wanted || !isOurs(text) ? [] : [[path, text] as const];
    }),
  );
  return new Map(found.flat());
}

function objectOf(text: string, name: string): KubernetesObject | undefined {
  const objects = kubernetesObjects(text, "") ?? [];
  return objects.find((object) => isFluxKustomization(object) && object.name === name);
}

async function placeOf(
  { namespace, spec }: KubernetesObject,
  { window }: ClusterSet,
  sourceText: (name: string) => Promise<string>,
  cluster: Cluster,
  url: string,
): Promise<Place> {
  const stated = asMap(spec["sourceRef"]) as Partial<ClusterSet["sourceRef"]>;
  const own = window === undefined ? undefined : windowObject(window);
  // What the window's source, or its copy of one, stands for.
  const name = stated.name === own ? cluster.config : stated.name?.replace(`${own}.`, "");
  const reference = { namespace, ...stated, ...(name !== undefined && { name }) };
  const path = normalPath(asText(spec["path"]) ?? "");
  const source = sourceName(reference);
  if (source === sourceName({ kind: "GitRepository", name: cluster.config }))
    return { namespace, path, source, url };
  const [object] = kubernetesObjects(await sourceText(reference.name ?? ""), "") ?? [];
  return { namespace, path, source, url: asText(object?.spec["url"] ?? object?.spec["endpoint"]) };
}

function urlOf({ sourceRef }: ClusterSet, { config, sources }: Cluster, url: string): string | undefined {
  if (sourceRef.kind === "GitRepository" && sourceRef.name === config) return url;
  const source = sources.find(({ kind, name }) => kind === sourceRef.kind && name === sourceRef.name);
  return source?.self ? url : asText(source?.spec["url"] ?? source?.spec["endpoint"]);
}

function sourceName({ kind, name, namespace = fluxNamespace }: Partial<ClusterSet["sourceRef"]>): string {
  return `${kind} ${namespace === fluxNamespace ? "" : `${namespace}/`}${name}`;
}

function difference(set: ClusterSet, cluster: Cluster, was: Place, now: Place, isMoved: boolean): Remark[] {
  const kindOf = ({ source }: Place) => source.slice(0, source.indexOf(" "));
  const sameSource =
    was.source === now.source ||
    (kindOf(was) === kindOf(now) && was.url !== undefined && was.url === now.url);
  const isElsewhere = was.namespace !== now.namespace;
  const [what, from, to] = isElsewhere
    ? ["namespace", was.namespace, now.namespace]
    : !sameSource
      ? ["source", was.source.slice(was.source.indexOf(" ") + 1), now.source]
      : was.url !== now.url && was.url !== undefined
        ? ["source's URL", was.url, now.url ?? ""]
        : ["path", was.path, now.path];
  const isOther = what === "path" ? was.path !== now.path && !isMoved : true;
  if (!isOther) return [];
  const going: Deletion = { kind: "set", name: set.name, from };
  if (isElsewhere)
    return [
      {
        cluster: cluster.name,
        going: [going],
        text: `moves from namespace ${from} to ${to}: its Kustomization goes with all that it applied (prune: true), and another one makes it anew`,
        ways: "To keep what runs, commit `deletionPolicy: Orphan` where it is first, and move it when the cluster has taken that",
      },
    ];
  return [
    {
      cluster: cluster.name,
      going: [going],
      text: `changes its ${what} from ${from} to ${to}: with prune: true, Flux deletes what it applied from there and does not find in the new place`,
      ways: "To keep that, commit `prune: false` with the change, and take it out again when the cluster has taken both",
    },
  ];
}

async function idOf(reader: RepositoryReader, path: string): Promise<string | undefined> {
  const whole = folder(path);
  const slash = whole.lastIndexOf("/");
  const entries = await reader.list(whole.slice(0, Math.max(slash, 0)));
  return entries?.find(({ name, kind }) => kind === "folder" && name === whole.slice(slash + 1))?.id;
}

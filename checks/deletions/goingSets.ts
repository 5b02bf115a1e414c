import { type Cluster, type ClusterSet, fluxNamespace } from "../../fleet/model.ts";
import { folder } from "../../values/repositoryPath.ts";
import { setAnnotations } from "../../flux/kustomization.ts";
import { asMap, asText, type YamlMap } from "../documents.ts";
import { handWritten } from "../handWritten.ts";
import { dependencies, identity, type KubernetesObject } from "../kubernetesObject.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { TreeEntry } from "../repositoryTree.ts";
import { committedSets } from "./committedSets.ts";

/** A set that is in the repository, and that an update would take out. */
export interface GoingSet {
  readonly name: string;
  /** Its file, from the root of the repository, and what stands there. */
  readonly file: string;
  readonly text: string;
  /** What Flux does with what the set applied. */
  readonly end: "deletes" | "leaves";
  /** `prune: true`, or the deletion policy that says more. */
  readonly because: string;
  /** The window at whose next opening it goes. */
  readonly window: string | undefined;
  /** Names of sets that it depends on. */
  readonly dependsOn: readonly string[];
  /** The commit that last changed its file; undefined where the history does not tell. */
  readonly since: string | undefined;
  /** Its source, where that is one of the fleet file. */
  readonly source: string | undefined;
  /** The new set that seems to be the same one under another name. */
  readonly renamedTo: string | undefined;
}

const prune = "kustomize.toolkit.fluxcd.io/prune";

/**
 * The sets of a cluster that go away, as they are on the branch that it follows. Only files that stay out of `ours`, the
 * files that an update would write, are read. A Kustomization that lives on, hand-written or since nothing prunes it, is
 * none. `coming` is where the folders of new sets are looked for: the branch that is committed to.
 */
export async function goingSets(
  cluster: Cluster,
  ours: ReadonlySet<string>,
  reader: RepositoryReader,
  coming: RepositoryReader,
): Promise<GoingSet[]> {
  const { gone, entries } = await committedSets(cluster, ours, reader);
  const textOf = new Map(gone.map(({ object, text }) => [object.file, text]));
  const declared = new Set(cluster.sets.map(({ name }) => name));
  const windows = new Set(cluster.windows.map(({ name }) => name));
  // Sets that stay, and those whose window goes, are looked at by windowMoves.ts.
  const objects = gone
    .filter(({ window }) => window === undefined || windows.has(window))
    .map(({ object }) => object)
    .filter(({ name }) => !declared.has(name));
  if (objects.length === 0) return [];

  const { manifests } = await handWritten(cluster, ours, reader);
  const kept = new Set(manifests.flatMap((file) => file.objects ?? []).map(identity));
  const there = new Set(entries.map(({ name }) => name));
  const added = cluster.sets.filter(({ name, window }) => window !== undefined || !there.has(`${name}.yaml`));
  const [before, after] =
    added.length > 0 ? await Promise.all([entriesOf(reader), entriesOf(coming)]) : [[], []];
  const going = objects.filter((object) => !kept.has(identity(object)));
  return Promise.all(
    going.map(async (object): Promise<GoingSet> => {
      const { name, spec, file } = object;
      const end = endOf(object);
      const since = (await reader.lastChange(file))?.commit;
      const { kind, name: source } = asMap(spec["sourceRef"]) as Partial<ClusterSet["sourceRef"]>;
      return {
        name,
        file,
        text: textOf.get(file) ?? "",
        since,
        source: kind === "GitRepository" && source === cluster.config ? undefined : declaredSource(source),
        ...end,
        dependsOn: dependencies(object).map((key) => key.slice(key.indexOf("/") + 1)),
        renamedTo: added.find(
          (set) => isAlike(spec, set) && isSamePlace(spec, set, cluster, { before, after }),
        )?.name,
      };
    }),
  );

  async function entriesOf(from: RepositoryReader): Promise<readonly TreeEntry[]> {
    return (await from.list(cluster.setsFolder)) ?? [];
  }
}

/** What Flux's finalizer does: it looks at the deletion policy, and does nothing for what is suspended. */
export function endOf({ spec, metadata }: KubernetesObject): Pick<GoingSet, "end" | "because" | "window"> {
  const annotations = asMap(metadata["annotations"]);
  const window = asText(annotations[setAnnotations.window]);
  const policy = asText(spec["deletionPolicy"]) ?? "MirrorPrune";
  const mirrors = policy === "MirrorPrune";
  // Then the bootstrap leaves the Kustomization itself.
  if ([metadata["labels"], annotations].some((map) => asMap(map)[prune] === "disabled"))
    return { end: "leaves", because: `${prune}: disabled`, window };
  const because = mirrors ? "prune: true" : `deletionPolicy: ${policy}`;
  if (mirrors ? spec["prune"] !== true : policy === "Orphan")
    return { end: "leaves", because: mirrors ? "prune: false" : because, window };
  if (spec["suspend"] !== true) return { end: "deletes", because, window };
  return { end: "leaves", because: "suspend: true", window };
}

/** A copy of a source that lies in a window is called `window-<window>.<source>`. */
function declaredSource(name: string | undefined): string | undefined {
  if (name === undefined || !name.startsWith("window-")) return name;
  const dot = name.indexOf(".");
  return dot < 0 ? undefined : name.slice(dot + 1);
}

/** Whether a set applies under the same names what another takes from the same source. */
function isAlike(spec: YamlMap, set: ClusterSet): boolean {
  return (
    isSource(spec["sourceRef"], set) &&
    ["targetNamespace", "namePrefix", "nameSuffix"].every((field) => spec[field] === set.spec[field])
  );
}

/** Whether a set takes from a source, be it by the source of its window. */
function isSource(reference: unknown, { sourceRef, window }: ClusterSet): boolean {
  const { kind, namespace = fluxNamespace, name } = asMap(reference) as Partial<ClusterSet["sourceRef"]>;
  if (window !== undefined && (name === `window-${window}` || name === `window-${window}.${sourceRef.name}`))
    return true;
  return (
    kind === sourceRef.kind && namespace === (sourceRef.namespace ?? fluxNamespace) && name === sourceRef.name
  );
}

/** Whether two sets apply one folder, or a folder that was moved or copied together with the name of its set. */
function isSamePlace(
  spec: YamlMap,
  set: ClusterSet,
  { setsFolder }: Cluster,
  folders: { readonly before: readonly TreeEntry[]; readonly after: readonly TreeEntry[] },
): boolean {
  const [old, now] = [folder(asText(spec["path"]) ?? ""), folder(set.spec.path)];
  if (old === now) return true;
  const below = setsFolder === "" ? "" : `${setsFolder}/`;
  if (!old.startsWith(below)) return false;
  const entryOf = (path: string, entries: readonly TreeEntry[]) =>
    entries.find(({ name, kind }) => kind === "folder" && path === `${below}${name}`);
  const [was, found] = [entryOf(old, folders.before), entryOf(now, folders.after)];
  if (found === undefined) return false;
  return was === undefined || (was.id !== undefined && was.id === found.id);
}

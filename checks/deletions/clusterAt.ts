import type { Cluster, ClusterSet, Source, Tenant, Window } from "../../fleet/model.ts";
import { tenantOf } from "../../fleet/resolveTenants.ts";
import { windowObject } from "../../fleet/window/index.ts";
import { appsFolder } from "../../flux/apps.ts";
import { fullPath, nameOf } from "../../values/path.ts";
import { asMap, asText } from "../documents.ts";
import { kubernetesObjects } from "../kubernetesObject.ts";
import { readInventory } from "../readInventory.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { type CommittedSet, committedSets } from "./committedSets.ts";

/** A cluster as a commit has it, whatever the fleet file says by now; with its generated files, from the root. */
export interface ClusterAt {
  readonly cluster: Cluster;
  readonly files: ReadonlyMap<string, string>;
}

/** Reads sets, sources and windows of a cluster from a tree, so that deletions can be judged between two commits. */
export async function clusterAt(cluster: Cluster, reader: RepositoryReader, url: string): Promise<ClusterAt> {
  const [{ gone: committed }, inventory] = await Promise.all([
    committedSets(cluster, new Set(), reader),
    readInventory(cluster.fluxFolder, reader),
  ]);
  const listed = [...(inventory?.files.keys() ?? [])];
  const paths = new Set([...listed, fullPath(cluster.folder, `${appsFolder}/kustomization.yaml`)]);
  const texts = await Promise.all(
    [...paths].map(async (path) => {
      const text = await reader.read(path);
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
  const files = new Map([
    ...committed.map(({ object, text }) => [object.file, text] as const),
    ...texts.flat(),
  ]);
  const windows = [...new Set(committed.flatMap(({ window }) => window ?? []))];
  return {
    cluster: {
      ...cluster,
      sets: committed.map((set) => setOf(set, cluster.config)),
      sources: sourcesOf(files, url),
      // Deletions are judged by the names of windows and tenants alone.
      windows: windows.map((name) => ({ name }) as Window),
      tenants: committed.flatMap(({ object }): Tenant[] => {
        const name = tenantOf(object.name);
        return name === undefined ? [] : [{ name } as Tenant];
      }),
    },
    files,
  };
}

function setOf({ object: { name, spec }, window }: CommittedSet, config: string): ClusterSet {
  const { sourceRef } = spec;
  const rest = Object.fromEntries(
    Object.entries(spec).filter(([key]) => !["dependsOn", "sourceRef"].includes(key)),
  );
  const stated = asMap(sourceRef) as unknown as ClusterSet["sourceRef"];
  return {
    name,
    labels: {},
    annotations: {},
    ...(window !== undefined && { window }),
    dependsOn: [],
    sourceRef: { ...stated, name: plainSource(stated.name, window, config) },
    spec: { ...rest, prune: spec["prune"] === true, path: asText(spec["path"]) ?? "" } as ClusterSet["spec"],
  };
}

/** In a window, sets take the window's own source, or a copy of another. */
function plainSource(name: string, window: string | undefined, config: string): string {
  if (window === undefined) return name;
  const own = windowObject(window);
  return name === own ? config : name.replace(`${own}.`, "");
}

function sourcesOf(files: ReadonlyMap<string, string>, url: string): Source[] {
  return [...files].flatMap(([path, text]): Source[] => {
    const [, name] = /^source-(.+)\.yaml$/.exec(nameOf(path)) ?? [];
    const [object] = name === undefined ? [] : (kubernetesObjects(text, path) ?? []);
    if (name === undefined || object === undefined) return [];
    const { kind, spec } = object;
    return [{ name, kind: kind as Source["kind"], spec: spec as Source["spec"], self: spec["url"] === url }];
  });
}

import { type SourceTree, sourceView, type ViewedSource } from "../build/index.ts";
import { declaredSources, sourceOf, type Trees } from "../checks/built/index.ts";
import { documents } from "../checks/documents.ts";
import { relativePath } from "../checks/relativePath.ts";
import type { Cluster } from "../fleet/model.ts";
import { definedFor, filledIn, type Subject } from "../judge/index.ts";
import { asList, asMap, asText } from "../values/maps.ts";
import { folderOf, fullPath, nameOf } from "../values/path.ts";
import { folder } from "../values/repositoryPath.ts";
import { treeOf } from "./sides.ts";

/** What a release takes from a GitRepository by itself, past the set that it stands in. */
interface TakenChart {
  /** Name of the GitRepository. */
  readonly source: string;
  /** Its chart and its files of values, from the root. */
  readonly paths: readonly string[];
}

/** A cluster's sources as one side has them; undefined for what lies in another repository. */
export type ViewOf = (cluster: Cluster, source: string) => Promise<ViewedSource | undefined>;

/** Each tree is viewed once by each view, for all clusters. */
export function viewsOf(trees: Trees): ViewOf {
  const known = new Map<SourceTree, Map<string, ViewedSource>>();
  return async (cluster, name) => {
    const isOther = cluster.sources.some((each) => each.name === name && !each.self);
    if (isOther) return undefined;
    const sourceRef = { kind: "GitRepository", name } as const;
    const source = sourceOf({ sourceRef }, cluster, declaredSources(cluster), trees.followed);
    const tree = await treeOf(source, cluster, trees);
    if (tree === undefined) return undefined;
    const view = "elsewhere" in source ? {} : source.view;
    const views = known.get(tree) ?? new Map<string, ViewedSource>();
    known.set(tree, views);
    const found = views.get(JSON.stringify(view)) ?? sourceView(tree, view);
    views.set(JSON.stringify(view), found);
    return found;
  };
}

/** Charts of releases in a set that lie in a Git repository. */
export function chartsOf({ build, set }: Subject): TakenChart[] {
  if (build.kind !== "built") return [];
  return build.objects.flatMap(({ kind, value }): TakenChart[] => {
    const spec = asMap(value["spec"]);
    const chart = kind === "HelmRelease" ? asMap(asMap(spec["chart"])["spec"]) : spec;
    if (kind !== "HelmRelease" && kind !== "HelmChart") return [];
    const { kind: from, name } = asMap(chart["sourceRef"]);
    const values = [...asList(chart["valuesFiles"]), chart["valuesFile"]];
    const paths = [chart["chart"], ...values].flatMap((path) => asText(path) ?? []);
    if (from !== "GitRepository" || typeof name !== "string" || paths.length === 0) return [];
    const defined = definedFor(set);
    return [
      {
        source: filledIn(name, defined) ?? name,
        paths: paths.map((path) => folder(filledIn(path, defined) ?? knownPart(path))),
      },
    ];
  });
}

/** The folder that a path with a variable of the cluster is in: `charts` of `./charts/${name:=shop}`. */
function knownPart(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.indexOf("${")) + 1);
}

/** Compares files of two views, each place once. */
export function comparing(): (
  one: ViewedSource | undefined,
  other: ViewedSource | undefined,
  path: string,
) => Promise<readonly string[]> {
  const known = new Map<unknown, Map<unknown, Map<string, Promise<readonly string[]>>>>();
  return (one, other, path) => {
    const byOther = known.get(one) ?? new Map<unknown, Map<string, Promise<readonly string[]>>>();
    known.set(one, byOther);
    const byPath = byOther.get(other) ?? new Map<string, Promise<readonly string[]>>();
    byOther.set(other, byPath);
    const found = byPath.get(path) ?? chartChanges(one, other, path);
    byPath.set(path, found);
    return found;
  };
}

/** Files that differ in a chart and in the charts of the same repository that it depends on. */
async function chartChanges(
  one: ViewedSource | undefined,
  other: ViewedSource | undefined,
  path: string,
): Promise<readonly string[]> {
  const seen = new Set<string>();
  const open = [path];
  const changed = new Set<string>();
  for (let chart = open.pop(); chart !== undefined; chart = open.pop()) {
    if (seen.has(chart)) continue;
    seen.add(chart);
    for (const file of await changedBelow(one, other, chart)) changed.add(file);
    const files = await Promise.all(
      [one, other].map(async (view) => view && readFile(view, fullPath(chart, "Chart.yaml"))),
    );
    for (const text of files) open.push(...dependencies(text, chart));
  }
  return [...changed].sort();
}

function dependencies(content: Uint8Array | undefined, chart: string): string[] {
  const [document] = (content && documents(new TextDecoder().decode(content))) ?? [];
  return asList(document?.["dependencies"]).flatMap((entry) => {
    const [, path] = /^file:\/\/(.*)$/.exec(asText(asMap(entry)["repository"]) ?? "") ?? [];
    return path === undefined ? [] : (relativePath(chart, path) ?? []);
  });
}

async function changedBelow(
  one: ViewedSource | undefined,
  other: ViewedSource | undefined,
  path: string,
): Promise<string[]> {
  const [old, fresh] = await Promise.all([one?.list(path), other?.list(path)]);
  if (old === undefined && fresh === undefined) {
    const [was, is] = await Promise.all([one, other].map(async (view) => view && readFile(view, path)));
    return isSame(was, is) ? [] : [path];
  }
  const names = new Set([...(old ?? []), ...(fresh ?? [])].map(({ name }) => name));
  const found = await Promise.all(
    [...names].map(async (name) => {
      const [was, is] = [old, fresh].map((entries) => entries?.find((each) => each.name === name));
      const inner = fullPath(path, name);
      if (was?.kind === "folder" || is?.kind === "folder") return changedBelow(one, other, inner);
      if (was === undefined || is === undefined) return [inner];
      if (was.id !== undefined && was.id === is.id) return [];
      const [before, after] = await Promise.all([one?.read(inner), other?.read(inner)]);
      return isSame(before, after) ? [] : [inner];
    }),
  );
  return found.flat();
}

/** A file that reaches the cluster. */
async function readFile(view: ViewedSource, path: string): Promise<Uint8Array | undefined> {
  const entries = await view.list(folderOf(path));
  return entries?.some(({ name, kind }) => name === nameOf(path) && kind === "file") === true
    ? view.read(path)
    : undefined;
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Buffer.compare(one, other) === 0;
}

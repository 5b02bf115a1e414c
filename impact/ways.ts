import { isDeepStrictEqual } from "node:util";
import { relativePath } from "../checks/relativePath.ts";
import type { Cluster, Repository } from "../fleet/model.ts";
import { appsSet } from "../fleet/resolveSets.ts";
import { appsFolder } from "../flux/apps.ts";
import type { Build, Subject } from "../judge/index.ts";
import { asMap } from "../values/maps.ts";
import { fullPath, isInside } from "../values/path.ts";
import { clusterWays } from "./clusterWays.ts";
import type { Way } from "./model.ts";

/** A cluster on one side: what it resolves to, what is written for it, and what it applies. */
export interface ClusterSide {
  readonly cluster: Cluster;
  readonly repository: Repository;
  readonly written: ReadonlyMap<string, string>;
  readonly subjects: ReadonlyMap<string, Subject>;
}

/** Those of these files that are not the same for a set on both sides. */
export type FilesChanged = (set: string, files: readonly string[]) => Promise<readonly string[]>;

/** What the bootstrap is called among the sets. */
export const bootstrap = "bootstrap";

/** By which ways the sets of a cluster differ between two sides; a set that does not is absent. */
export async function waysBetween(
  before: ClusterSide | undefined,
  after: ClusterSide | undefined,
  filesChanged: FilesChanged,
): Promise<ReadonlyMap<string, readonly Way[]>> {
  const sides = [before, after].filter((side) => side !== undefined);
  const names = new Set(sides.flatMap(namesOf));
  const generated = generatedWays(before, after);
  const found = await Promise.all(
    [...names].map(async (name) => {
      const ways = [
        ...comesOrGoes(name, before, after),
        ...(generated.get(name) ?? []),
        ...(before && after ? await contentWays(name, before, after, filesChanged) : []),
        ...(before && after && name === bootstrap ? clusterWays(before, after) : []),
      ];
      return [name, joined(ways)] as const;
    }),
  );
  return new Map(found.filter(([, ways]) => ways.length > 0));
}

function namesOf({ cluster, subjects }: ClusterSide): string[] {
  return [bootstrap, ...cluster.sets.map(({ name }) => name), ...subjects.keys()];
}

function comesOrGoes(name: string, before: ClusterSide | undefined, after: ClusterSide | undefined): Way[] {
  const has = (side: ClusterSide | undefined): boolean => side !== undefined && namesOf(side).includes(name);
  if (has(before) === has(after)) return [];
  return [{ way: has(after) ? "added" : "removed" }];
}

/** Generated files that differ, each with the sets that it is about; files of the apps as the apps. */
function generatedWays(
  before: ClusterSide | undefined,
  after: ClusterSide | undefined,
): ReadonlyMap<string, readonly Way[]> {
  const paths = new Set([...(before?.written.keys() ?? []), ...(after?.written.keys() ?? [])]);
  const ways = new Map<string, Way[]>();
  const sides = [before, after].filter((side) => side !== undefined);
  for (const path of paths) {
    if (before?.written.get(path) === after?.written.get(path)) continue;
    for (const side of sides) {
      const isApp = isInside(path, fullPath(side.cluster.folder, appsFolder));
      // What becomes of the files of apps shows in what is built of them.
      if (isApp || !side.written.has(path)) continue;
      for (const set of setsAbout(path, side))
        ways.set(set, [...(ways.get(set) ?? []), { way: "generated", files: [path] }]);
    }
  }
  return ways;
}

/** A set has a file of its name, be it in a window; that of a source is about all that take it; else it is the bootstrap. */
function setsAbout(path: string, { cluster, subjects }: ClusterSide): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.yaml$/, "");
  if (name !== bootstrap && (subjects.has(name) || cluster.sets.some((set) => set.name === name)))
    return [name];
  const source = /^source-(.*)$/.exec(name)?.[1];
  const taking = cluster.sets.filter(({ sourceRef }) => sourceRef.name === source).map((set) => set.name);
  return taking.length > 0 ? taking : [bootstrap];
}

/** How what a set applies differs, where both sides have it. */
async function contentWays(
  name: string,
  before: ClusterSide,
  after: ClusterSide,
  filesChanged: FilesChanged,
): Promise<Way[]> {
  const [old, fresh] = [before.subjects.get(name), after.subjects.get(name)];
  if (old === undefined || fresh === undefined) return [];
  for (const { build } of [fresh, old])
    if (build.kind === "unjudged") return [{ way: "unknown", message: build.why }];
  const variables = changedVariables(old, fresh);
  const named: Way[] = variables.length > 0 ? [{ way: "variable", names: variables }] : [];
  if (sameBuild(old, fresh)) return named;
  const files = await filesChanged(name, [...new Set([...old.files, ...fresh.files])].sort());
  const isOurs = (path: string): boolean => before.written.has(path) || after.written.has(path);
  const apps: AppChanges =
    name === appsSet ? appsChanged(files, before, after) : { names: [], files: new Set() };
  const others = files.filter((path) => !apps.files.has(path) && !isOurs(path));
  const none = others.length + apps.names.length === 0;
  // The flux folder that somebody wrote a file into is built with ours, of which all is said already.
  if (none && name === bootstrap) return named;
  // A build that failed names no files, and what a set itself says may change it: then its folder is named.
  const paths = none ? [fresh.set.spec.path] : others;
  return [
    ...named,
    ...(apps.names.length > 0 ? [{ way: "app", names: apps.names } as const] : []),
    ...(paths.length > 0 ? [{ way: "path", files: paths } as const] : []),
  ];
}

interface AppChanges {
  readonly names: readonly string[];
  readonly files: ReadonlySet<string>;
}

/** Apps that differ: in what the fleet file says of them, in their folders, in what is generated of them. */
function appsChanged(files: readonly string[], before: ClusterSide, after: ClusterSide): AppChanges {
  const names = new Set<string>();
  const own = new Set<string>();
  const [old, fresh] = [before, after].map(
    ({ cluster }) => new Map(cluster.apps.map((app) => [app.name, app])),
  );
  for (const name of new Set([...old!.keys(), ...fresh!.keys()]))
    if (!isDeepStrictEqual(old!.get(name), fresh!.get(name))) names.add(name);
  for (const { cluster } of [before, after]) {
    const folder = fullPath(cluster.folder, appsFolder);
    for (const { name, resource } of cluster.apps) {
      const place = relativePath(folder, resource);
      for (const path of files) {
        if (place === undefined || !(path === place || isInside(path, place))) continue;
        names.add(name);
        own.add(path);
      }
    }
  }
  return { names: [...names].sort(), files: own };
}

/** Whether Flux applies the same objects on both sides, or nothing: a comment in a manifest changes no cluster. */
function sameBuild(old: Subject, fresh: Subject): boolean {
  if (old.content === fresh.content) return true;
  const kinds = [old, fresh].map(({ build }) => build.kind === "built");
  return kinds[0] === kinds[1] && isDeepStrictEqual(objectTexts(old.build), objectTexts(fresh.build));
}

const texts = new WeakMap<Build, readonly string[]>();

/** The objects of a build as texts, in an order that does not depend on files; made once for each build. */
function objectTexts(build: Build): readonly string[] {
  const known = texts.get(build);
  if (known !== undefined) return known;
  const all = build.kind === "built" ? build.objects.map(({ value }) => JSON.stringify(value)).sort() : [];
  texts.set(build, all);
  return all;
}

/** Variables that differ and that a manifest of the set has in it. */
function changedVariables(old: Subject, fresh: Subject): string[] {
  const [one, other] = [old, fresh].map(({ set }) => asMap(asMap(set.spec["postBuild"])["substitute"]));
  const names = new Set([...Object.keys(one!), ...Object.keys(other!)]);
  const changed = [...names].filter((name) => one![name] !== other![name]);
  if (changed.length === 0) return [];
  const used = new Set([...usedIn(old.build), ...usedIn(fresh.build)]);
  return changed.filter((name) => used.has(name)).sort();
}

const used = new WeakMap<Build, ReadonlySet<string>>();

function usedIn(build: Build): ReadonlySet<string> {
  const known = used.get(build);
  if (known !== undefined) return known;
  const found = objectTexts(build).flatMap((text) => [...text.matchAll(/\$\{#?([A-Za-z_]\w*)/g)]);
  const names = new Set(found.map(([, name]) => name!));
  used.set(build, names);
  return names;
}

/** Files of one kind of way together. */
function joined(ways: readonly Way[]): Way[] {
  const generated = ways.flatMap((each) => (each.way === "generated" ? each.files : []));
  const others = ways.filter(({ way }) => way !== "generated");
  return generated.length === 0
    ? others
    : [{ way: "generated", files: [...new Set(generated)].sort() }, ...others];
}

import { idled } from "./idle.ts";
import { own, setLayers, takenSets, type Layer, type View } from "./layers.ts";
import { mergeLayers } from "./mergeLayers.ts";
import {
  fluxNamespace,
  type ClusterSet,
  type Dependency,
  type PlainMap,
  type SourceRef,
  type Tenant,
} from "./model.ts";
import { withOwnVariables } from "./ownVariables.ts";
import { normalPath } from "../values/repositoryPath.ts";
import type { FleetFile } from "./schema.ts";
import type { SetFields } from "./schema/set.ts";
import { afterTenant, tenantSpec } from "./resolveTenants.ts";
import { windowName } from "./window/resolveWindows.ts";

/** The set that applies `apps/` of a cluster that has apps. */
export const appsSet = "apps-base";

/** What of the cluster its sets are made with. */
interface Given {
  readonly clusterFolder: string;
  readonly setsFolder: string;
  readonly hasApps: boolean;
  readonly tenants: readonly Tenant[];
}

/** The sets of a cluster, sorted by name. */
export function resolveSets(file: FleetFile, view: View, given: Given): ClusterSet[] {
  const taken = takenSets(view);
  const implied = given.hasApps ? impliedApps(taken, given.clusterFolder) : undefined;
  // What a group says of the set that applies apps is for clusters that have some.
  if (!implied && taken.has(appsSet) && !hasPlace(setLayers(file, view, appsSet))) taken.delete(appsSet);
  if (implied && !isOptedOut(view, appsSet)) taken.add(appsSet);
  return withNamespaces([...taken].sort().map((name) => resolveSet(file, view, name, given, implied)));
}

/** What a set waits for by its name alone is the set of that name, wherever that is. */
function withNamespaces(sets: ClusterSet[]): ClusterSet[] {
  const elsewhere = new Map(
    sets.flatMap(({ name, namespace }) => (namespace === undefined ? [] : [[name, namespace]])),
  );
  if (elsewhere.size === 0) return sets;
  return sets.map((set) => ({
    ...set,
    dependsOn: set.dependsOn.map((entry) => {
      const namespace = entry.external ? undefined : elsewhere.get(entry.name);
      return namespace === undefined ? entry : { namespace, ...entry };
    }),
  }));
}

/** What `apps` alone says about the set apps-base; the layers of the fleet file go on top. */
export function impliedApps(taken: ReadonlySet<string>, clusterFolder: string): SetFields {
  return {
    path: `./${clusterFolder}/apps`,
    ...(taken.has("infrastructure") && { dependsOn: ["infrastructure"] }),
  };
}

function hasPlace(layers: readonly Layer[]): boolean {
  return layers.some(({ fields: { path, source, sourceRef } }) => path ?? source ?? sourceRef);
}

function isOptedOut(view: View, set: string): boolean {
  return view.holders.findLast(({ entry }) => entry.sets?.[set] !== undefined)?.entry.sets?.[set] === null;
}

function resolveSet(
  file: FleetFile,
  view: View,
  name: string,
  { setsFolder, tenants }: Given,
  implied: SetFields | undefined,
): ClusterSet {
  const layers = setLayers(file, view, name, name === appsSet ? implied : undefined);
  const merged = mergeLayers(layers);
  const { path, source, sourceRef, dependsOn, window, suspend, idle, tenant, namespace, ...named } = merged;
  const { labels, annotations, ...rest } = named;
  const { interval = file.defaults.interval, prune = file.defaults.prune, postBuild, ...spec } = rest;
  const foreign = source !== undefined ? !isOwn(file, source) : sourceRef !== undefined;
  const known = tenants.find((one) => one.name === tenant);
  const stated = (dependsOn ?? []).map((one) =>
    typeof one === "string" ? { name: one } : (one as Dependency),
  );
  const set: ClusterSet = {
    name,
    ...(namespace !== undefined && namespace !== fluxNamespace && { namespace }),
    labels: labels ?? {},
    annotations: annotations ?? {},
    ...(window !== undefined && { window: windowName(window) }),
    ...(suspend && { suspension: suspend as NonNullable<ClusterSet["suspension"]> }),
    ...(tenant !== undefined && { tenant }),
    dependsOn: known ? afterTenant(stated, known) : stated,
    sourceRef: referenceOf(file, source, sourceRef as SourceRef | undefined),
    spec: {
      ...(spec as PlainMap),
      ...(known && tenantSpec(known, spec)),
      // The folder of the cluster is in the fleet's own repository; elsewhere all of a source is meant.
      path: normalPath(path ?? (foreign ? "." : `${setsFolder}/${name}`)),
      interval,
      prune,
      ...(postBuild &&
        !isEmpty(postBuild) && { postBuild: withOwnVariables(postBuild, view.name, view.entry.stage) }),
    },
  };
  return idle === true ? idled(set) : set;
}

/** Whether a source holds the fleet's own repository. */
function isOwn(file: FleetFile, source: string): boolean {
  const entry = own(file.sources, source);
  return entry?.kind === "GitRepository" && entry.url === "self";
}

function referenceOf(file: FleetFile, source: string | undefined, byHand: SourceRef | undefined): SourceRef {
  if (source !== undefined) return { kind: own(file.sources, source)?.kind ?? "GitRepository", name: source };
  return byHand ?? { kind: "GitRepository", name: file.config };
}

/** The key in `sources` of the source that a set takes; undefined for the fleet's repository and undeclared ones. */
export function sourceKey(file: FleetFile, { kind, name, namespace }: SourceRef): string | undefined {
  const declared = own(file.sources, name)?.kind === kind;
  return declared && (namespace ?? fluxNamespace) === fluxNamespace ? name : undefined;
}

function isEmpty({ substitute, ...rest }: NonNullable<SetFields["postBuild"]>): boolean {
  return Object.keys(substitute ?? {}).length === 0 && Object.keys(rest).length === 0;
}

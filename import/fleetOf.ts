import { isDeepStrictEqual } from "node:util";
import { fluxMinors, type FluxMinor } from "../values/fluxVersions.ts";
import { fluxNamespace } from "../fleet/model.ts";
import { appsSet } from "../fleet/resolveSets.ts";
import type { NotTaken } from "./notTaken.ts";
import { azureHead } from "./azureHead.ts";
import { clusterFolders } from "./clusterFolders.ts";
import { newFolder as usualFolder } from "./newFolder.ts";
import { isOwnSource, isSame, type ReadCluster } from "./readCluster.ts";
import type { PlainFleet } from "./plainFleet.ts";
import { bootstrapOf, defaultConfig, freeConfig, type ImportedRepository } from "./repository.ts";
import type { ImportedSet } from "./setEntry.ts";
import type { ImportedSource } from "./sourceEntry.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A cluster on its way into a fleet file, with the repository that it follows. */
export interface FleetPart {
  readonly cluster: ReadCluster;
  readonly repository: ImportedRepository;
}

/**
 * The fleet of clusters that follow one repository. Nothing that a Kustomization does not say is filled in, so Arcflux's
 * defaults are off. What is decided without the files saying so is noted.
 */
export function fleetOf(
  parts: readonly FleetPart[],
  notTaken: NotTaken[],
  newFolder = usualFolder,
): PlainFleet {
  const [first] = parts;
  const { url, access, branch } = first!.repository;
  const taken = new Set(
    parts.flatMap(({ cluster: { names, follows, azure } }) => [
      ...names,
      follows.name,
      ...(azure?.configurations ?? []),
    ]),
  );
  const config = freeConfig((name) => taken.has(name));
  const azure = azureHead(parts.map(({ cluster }) => cluster));
  const sources = sharedSources(parts, notTaken);
  const all = parts.flatMap(({ cluster }) => [...cluster.sets, ...cluster.sources]);
  const newest = fluxMinors.findLast((minor) => all.some((each) => each.minor === minor)) ?? fluxMinors[0];
  const needed = parts.some(({ cluster }) => cluster.sets.some(needsOpen));
  // Azure says itself whether its Flux has lockdown.
  const isOpen = azure === undefined ? needed : !azure.lockdown;
  if (azure === undefined && isOpen)
    notTaken.push({ file: "", path: "flux.lockdown", reason: loosened, matter: "decide" });
  const roots = parts.flatMap(({ cluster }) =>
    cluster.root ? [bootstrapOf(cluster.root, config, notTaken)] : [],
  );
  const bootstrap = roots.find((each) => Object.keys(each).length > 0);
  if (roots.some((each) => !isDeepStrictEqual(each, bootstrap)))
    notTaken.push({
      file: "",
      path: "bootstrap",
      reason: `is that of ${first!.cluster.name}; the roots of the other clusters have other intervals`,
      matter: "know",
    });
  const isContext = azure === undefined && parts.length > 1;
  if (isContext)
    notTaken.push({ file: "", path: "clusters.*.kubeconfig", reason: contexts, matter: "decide" });
  const folders = clusterFolders(
    parts.map(({ cluster }) => cluster),
    newFolder,
  );
  const branches = [...new Set(parts.map(({ repository }) => repository.branch))];
  const stages = branches.length > 1 ? branches.filter((each) => each !== undefined && each !== branch) : [];
  const isSelf = (source: ImportedSource): boolean =>
    source.spec["url"] === url && (access === "public" || source.spec["secretRef"] !== undefined);
  return {
    head: {
      apiVersion: "arcflux/v1",
      repository: { url, ...(branch !== undefined && { branch }), ...(access !== "public" && { access }) },
      ...(config !== defaultConfig && { config }),
      ...(azure === undefined ? { platform: "kubernetes" } : { arc: azure.arc }),
      ...fluxSettings(newest, isOpen),
      layout: { cluster: `${newFolder}/{cluster}` },
      ...(bootstrap !== undefined && { bootstrap }),
      defaults: { retryInterval: null, timeout: null, wait: null },
      ...(sources.size > 0 && {
        sources: Object.fromEntries(
          [...sources.values()].map((source) => [
            source.name,
            { kind: source.kind, ...source.spec, ...(isSelf(source) && { url: "self" }) },
          ]),
        ),
      }),
      ...(stages.length > 0 && {
        stages: Object.fromEntries(stages.map((name) => [stageName(name!), { branch: name }])),
      }),
    },
    clusters: new Map(
      parts.map(({ cluster, repository }) => [
        cluster.name,
        {
          head: {
            ...(stages.includes(repository.branch) && { stage: stageName(repository.branch!) }),
            ...(folders.has(cluster.name) && { folder: folders.get(cluster.name) }),
            // One context could be any of theirs.
            ...(isContext && { kubeconfig: { context: cluster.name } }),
            ...azure?.of(cluster),
            ...pinsOf(cluster, sources),
            ...(cluster.apps !== undefined && { apps: cluster.apps }),
          },
          sets: new Map(cluster.sets.map((set) => [set.name, fieldsOf(set, cluster, sources)])),
          parents: cluster.parents,
        },
      ]),
    ),
  };
}

/** Sources by name. The clusters of a fleet share them; one may stay at another ref, by a pin. */
function sharedSources(
  parts: readonly FleetPart[],
  notTaken: NotTaken[],
): ReadonlyMap<string, ImportedSource> {
  const found = new Map<string, ImportedSource>();
  for (const { cluster } of parts)
    for (const source of cluster.sources) {
      const known = found.get(source.name);
      if (known === undefined) found.set(source.name, source);
      else if (!isSameBut(known, source))
        notTaken.push({
          file: cluster.from.get(source)?.file ?? "",
          path: `${source.kind} ${source.name}`,
          reason: `is another one than the source of that name on other clusters, which ${cluster.name} gets too; import ${cluster.name} into a fleet file of its own`,
          matter: "part",
        });
    }
  return found;
}

function isSameBut(one: ImportedSource, other: ImportedSource): boolean {
  const withoutRef = ({ spec }: ImportedSource): Fields => ({ ...spec, ref: undefined });
  return one.kind === other.kind && isDeepStrictEqual(withoutRef(one), withoutRef(other));
}

function pinsOf(cluster: ReadCluster, sources: ReadonlyMap<string, ImportedSource>): Fields {
  const pins = cluster.sources.flatMap((source) => {
    const shared = sources.get(source.name)!;
    const differs = isSameBut(shared, source) && !isDeepStrictEqual(shared.spec["ref"], source.spec["ref"]);
    return differs && source.spec["ref"] !== undefined ? [[source.name, source.spec["ref"]] as const] : [];
  });
  return pins.length > 0 ? { pins: Object.fromEntries(pins) } : {};
}

const loosened =
  "is written as false, since a set reaches into another namespace, or has no account in its own, which lockdown refuses; " +
  "Flux from Azure's extension has lockdown on, so check that first";

const contexts =
  "names a context like each cluster, since nothing in the repository says how they are reached; write yours, or take it out with Azure Arc";

/** Whether lockdown would refuse a set: it reaches into another namespace, or has no account in its own. */
function needsOpen({ namespace: own, sourceRef, dependsOn, fields }: ImportedSet): boolean {
  if (own !== undefined && fields["serviceAccountName"] === undefined) return true;
  return [sourceRef, ...dependsOn].some(({ namespace }) => namespace !== own);
}

function fluxSettings(version: FluxMinor, isOpen: boolean): Fields {
  // Lockdown is what refuses references to other namespaces; with them the cluster has none.
  if (version === fluxMinors[0] && !isOpen) return {};
  return { flux: { ...(version !== fluxMinors[0] && { version }), ...(isOpen && { lockdown: false }) } };
}

function fieldsOf(
  { name, fields: { path, ...fields }, sourceRef, dependsOn }: ImportedSet,
  { follows, beside, sets, apps }: ReadCluster,
  sources: ReadonlyMap<string, ImportedSource>,
): Fields {
  const isOwn = isOwnSource(sourceRef, follows);
  const declared = sources.get(sourceRef.name);
  const isDeclared = declared !== undefined && isSame(sourceRef, declared);
  const appliesApps = name === appsSet && apps !== undefined;
  return {
    ...(!appliesApps && { path }),
    // What Arcflux makes of apps waits for infrastructure, where the set says nothing.
    ...(appliesApps && sets.some((set) => set.name === "infrastructure") && { dependsOn: [] }),
    ...fields,
    ...(isOwn ? {} : isDeclared ? { source: sourceRef.name } : { sourceRef }),
    ...(dependsOn.length > 0 && {
      dependsOn: dependsOn.map((entry) => {
        const { namespace, ...named } = entry;
        const isSet = sets.some((set) => set.name === entry.name && set.namespace === namespace);
        if (isSet) return named.readyExpr === undefined ? named.name : named;
        // What nothing here makes stays as it is: nobody but a person can say that something else makes it.
        if (beside.has(`${namespace ?? fluxNamespace}/${entry.name}`)) return { ...entry, external: true };
        return namespace === undefined && entry.readyExpr === undefined ? entry.name : entry;
      }),
    }),
  };
}

function stageName(branch: string): string {
  return (
    branch
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "") || "stage"
  );
}

import { matchable, own, takenKeys, viewsOf, type View } from "./layers.ts";
import { mergeConnections } from "./connection.ts";
import { mergeExtensions } from "./mergeExtensions.ts";
import { resolveDevice } from "./device.ts";
import type { AgentsMode, Arc, Bootstrap, Cluster, Fleet, Kubeconfig, Platform, Readiness } from "./model.ts";
import { removalOf } from "./removal.ts";
import { folder } from "../values/repositoryPath.ts";
import { cloneUrl } from "../values/repositoryUrl.ts";
import { ringStages } from "./rings.ts";
import { resolveAlerts } from "./resolveAlerts.ts";
import { resolveApps } from "./resolveApps.ts";
import { resolveFlux } from "./resolveFlux.ts";
import { filledSource, resolveSecrets, waitForSecrets } from "./resolveSecrets.ts";
import { resolveSets } from "./resolveSets.ts";
import { resolveSources } from "./resolveSources.ts";
import { resolveSuspension, shut, stopped } from "./resolveSuspension.ts";
import { resolveStages } from "./resolveStages.ts";
import type { FleetFile } from "./schema.ts";
import type { StageEntry } from "./schema/layer.ts";
import { resolveTenants } from "./resolveTenants.ts";
import { fill, placeholders } from "./template.ts";
import {
  declaredWindows,
  resolveFreeze,
  resolveWindows,
  type DeclaredWindows,
} from "./window/resolveWindows.ts";

/** A fleet with, for each cluster, what applies to it; both in the order of the fleet file. */
export interface Resolved {
  readonly fleet: Fleet;
  readonly views: readonly View[];
}

/** Merges defaults, shared sets, stages, groups and clusters. Takes a file whose single values are sound; checks nothing. */
export function resolveFleet(file: FleetFile, today?: string): Resolved {
  const views = viewsOf(file);
  const windows = declaredWindows(file);
  const made = Map.groupBy(views, ({ entry }) => entry.managedBy);
  const known = new Set([...views.flatMap(({ entry }) => entry.recipient ?? []), ...file.recipients]);
  return {
    fleet: {
      repository: { ...file.repository, url: cloneUrl(file.repository.url) },
      layout: file.layout,
      stages: resolveStages(file),
      ...(file.limits && { limits: file.limits }),
      clusters: views.map((view) => ({
        ...resolveCluster(file, view, windows, today),
        ...(view.entry.role === "management" && {
          manages: (made.get(view.name) ?? []).map(({ name }) => name),
        }),
        ...(known.size > 0 && { knownRecipients: known }),
      })),
      withoutFlux: [],
      removed: file.removed.map(removalOf),
      ignore: file.ignore,
    },
    views,
  };
}

function resolveCluster(
  file: FleetFile,
  view: View,
  windows: DeclaredWindows,
  today: string | undefined,
): Cluster {
  const { name, entry, holders } = view;
  const stage = own(file.stages, entry.stage);
  const clusterFolder = folder(entry.folder ?? fill(file.layout.cluster, placeholders({ ...entry, name })));
  const fluxFolder = folder(`${clusterFolder}/${file.layout.flux}`);
  const setsFolder = folder(`${clusterFolder}/${file.layout.sets}`);
  const ring = ringStages(entry.stage ?? "", stage ?? {}, file).get(view.ring?.name ?? "");
  const follows = ring?.branch ?? stage?.branch ?? file.repository.branch;
  const promotedFrom = stageBefore(file, entry.stage ?? "", ring?.after ?? stage?.after);
  const platform = last(view, "platform") ?? file.platform ?? "arc";
  const kubeconfig = entry.device === undefined ? last(view, "kubeconfig") : undefined;
  const apps = takenKeys(view, "apps");
  const tenants = resolveTenants(file, view);
  const secrets = resolveSecrets(file, view);
  const sets = waitForSecrets(
    resolveSets(file, view, { clusterFolder, setsFolder, hasApps: apps.size > 0, tenants }),
    secrets,
  );
  const sources = resolveSources(file, view, sets, follows);
  const bootstrap = merged<Bootstrap>(
    file.bootstrap,
    holders.map((holder) => holder.entry.bootstrap),
  );
  const {
    interval: fetch,
    credentials,
    user,
  } = merged<NonNullable<View["entry"]["repository"]>>(
    file.repository,
    holders.map((holder) => holder.entry.repository),
  );
  const suspension = resolveSuspension(view);
  const freeze = today === undefined ? undefined : resolveFreeze(file, view, today);
  return {
    name,
    labels: entry.labels ?? {},
    attributes: entry.attributes ?? {},
    ...(entry.stage !== undefined && { stage: entry.stage }),
    ...(entry.formerly !== undefined && { formerly: entry.formerly }),
    ...(entry.role !== undefined && { role: entry.role }),
    ...(entry.managedBy !== undefined && { managedBy: entry.managedBy }),
    ...(view.ring && { ring: view.ring.name }),
    ...((stage?.ready ?? view.ring) && { ready: readiness(stage?.ready ?? {}, view.ring?.maxFailed) }),
    follows,
    ...(promotedFrom && { promotedFrom }),
    platform,
    lifecycle: entry.lifecycle ?? "active",
    agents: agentsOf(view, file, platform),
    ...((last(view, "adopt") ?? file.adopt) === true && { adopts: true as const }),
    ...(kubeconfig && { kubeconfig: filled(kubeconfig, view) }),
    ...(entry.device && { device: resolveDevice(entry.device) }),
    hardware: entry.hardware ?? 1,
    arc: resolveArc(file, view),
    config: file.config,
    bootstrap,
    ...(credentials && { credentials: filledSource(credentials, placeholders({ ...entry, name })) }),
    ...(user !== undefined && { repositoryUser: user }),
    fetchInterval: fetch ?? bootstrap.interval,
    ...(suspension && { suspension }),
    ...(last(view, "idle") === true && { idle: true as const }),
    flux: resolveFlux([
      file.flux,
      ...holders.flatMap(({ entry: { flux } }) => flux ?? []),
      // A pack brings it.
      ...(entry.managedBy === undefined ? [] : [{ install: false }]),
    ]),
    folder: clusterFolder,
    fluxFolder,
    setsFolder,
    sets: suspension?.through === "git" ? sets.map((set) => stopped(set, file.config, suspension)) : sets,
    sources: suspension ? sources.map(shut) : sources,
    windows: resolveWindows(file, view, sets, follows, windows, today),
    tenants,
    ...(freeze && { freeze }),
    alerts: resolveAlerts(file, matchable(entry), sets),
    apps: resolveApps(file, view, apps, clusterFolder),
    ...(secrets && { secrets }),
    ...(entry.recipient !== undefined && { recipient: entry.recipient }),
    ...(file.recipients.length > 0 && { coRecipients: file.recipients }),
  };
}

/** Fields of all layers, of which the last one that states a field wins. */
function merged<T extends object>(fleet: T, layers: readonly (object | undefined)[]): T {
  return Object.assign({}, fleet, ...layers) as T;
}

/** Where there is no Flux there are no agents either, whatever a layer above says. */
function agentsOf(view: View, file: FleetFile, platform: Platform): AgentsMode {
  if (platform === "none") return "present";
  return last(view, "agents") ?? file.agents ?? (platform === "arc" ? "install" : "present");
}

function readiness(
  { share = "95%", failing = 0 }: NonNullable<StageEntry["ready"]>,
  maxFailed: number | undefined,
): Readiness {
  return { share: Number.parseFloat(share), failing: maxFailed ?? failing };
}

/** What a stage or a ring takes from: the stage before, or a ring of the same. */
function stageBefore(file: FleetFile, stage: string, after: string | undefined): Cluster["promotedFrom"] {
  if (after === undefined) return undefined;
  const rings = ringStages(stage, own(file.stages, stage) ?? {}, file);
  const ring = [...rings.values()].find(({ name }) => name === after);
  const before = own(file.stages, after);
  if (ring === undefined && before === undefined) return undefined;
  return { stage: after, branch: ring?.branch ?? before?.branch ?? file.repository.branch };
}

interface Last {
  platform: Platform;
  agents: AgentsMode;
  adopt: boolean;
  idle: boolean;
  kubeconfig: NonNullable<View["entry"]["kubeconfig"]>;
}

function last<Key extends keyof Last>(view: View, key: Key): Last[Key] | undefined {
  return view.holders.findLast(({ entry }) => entry[key] !== undefined)?.entry[key] as Last[Key] | undefined;
}

function filled(kubeconfig: Last["kubeconfig"], { name, entry }: View): Kubeconfig {
  const values = placeholders({ ...entry, name });
  return kubeconfig.context === undefined
    ? { config: fill(kubeconfig.config ?? "", values) }
    : { context: fill(kubeconfig.context, values) };
}

function resolveArc(file: FleetFile, view: View): Arc {
  const layers = [file.arc, ...view.holders.map(({ entry }) => entry.arc ?? {})];
  const find = (field: "subscription" | "resourceGroup" | "location") =>
    layers.findLast((layer) => layer[field] !== undefined)?.[field] ?? "";
  const subscription = find("subscription").toLowerCase();
  const extensions = layers.flatMap(({ extension = [] }) => extension);
  const { arc, formerly } = view.entry;
  return {
    name: arc?.name ?? formerly ?? view.name,
    ...(subscription !== "" && { subscription }),
    resourceGroup: find("resourceGroup"),
    location: find("location"),
    tags: Object.assign({}, ...layers.map(({ tags }) => tags)) as Record<string, string>,
    ...(extensions.length > 0 && { extension: mergeExtensions(extensions) }),
    connection: mergeConnections(layers),
  };
}

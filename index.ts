import type * as pulumi from "@pulumi/pulumi";

import { ClusterSecrets } from "./components/clusterSecrets.ts";
import { EdgeCluster } from "./components/edgeCluster.ts";
import { FleetRecord } from "./components/fleetRecord.ts";
import { FluxBootstrap } from "./components/fluxBootstrap.ts";
import { FluxControllers } from "./components/fluxControllers.ts";
import { FluxFolder } from "./components/fluxFolder.ts";
import { FluxObjects } from "./components/fluxObjects.ts";
import type { KubernetesAccess } from "./components/kubernetesProvider.ts";
import type { Leaving } from "./components/leaving.ts";
import { retryConflicts } from "./components/retryConflicts.ts";
import { SimulatedEdgeDevice } from "./components/simulatedEdgeDevice.ts";
import { deviceGroup } from "./fleet/device.ts";
import { isBroughtByUpdate } from "./fleet/management.ts";
import { againOf, sentBy } from "./program/arrivals.ts";
import { bootstrapArgs, connectArgs, extensionArgs } from "./program/declaredArgs.ts";
import { folderArgs } from "./program/folderArgs.ts";
import { promotionNote } from "./program/promotionNote.ts";
import { loadStackFleet } from "./program/stackFleet.ts";
import { readProxyCertificates } from "./program/authorities.ts";
import { readKubernetesAccess, readStackSettings } from "./program/stackSettings.ts";
import { sayUnconnected } from "./program/unconnected.ts";
import { filesFirst, sayWhatIsLeft } from "./program/withoutAzure.ts";
import { subscriptionProvider } from "./program/subscriptionProvider.ts";
import type { Cluster } from "./fleet/model.ts";

const settings = readStackSettings();
const {
  fleet,
  filesOf,
  createdOf,
  releasedOf,
  deletionsOf,
  factsOf,
  isWaiting,
  isReplaced,
  isNew,
  toPromote,
  inAzure,
  withoutAzure,
  unconnected,
  isLeft,
  adoptedOf,
  accessOf,
  arrivalOf,
  manifestsOf,
  ...known
} = await loadStackFleet(settings);

/** Where the files are: a token that nothing binds goes to no other host from then on. */
export const repository = fleet.repository.url;

/** What the tags pointed to that sources are pinned to: one that moves stops the next update. */
export const tags = known.tags;

/** Version of Arcflux and checksum of the fleet file: the next preview tells a new version from an edit by it. */
export const writtenBy = known.writtenBy;

// For policies, which see resources alone.
new FleetRecord("fleet", known.facts);

/** Azure does one thing at a time on a resource. */
const conflictHooks = retryConflicts();

const folders = new Map(fleet.clusters.map((cluster) => [cluster.name, writeFiles(cluster)]));
await filesFirst(withoutAzure, [...folders.values()]);

const devices = new Map(fleet.clusters.flatMap(simulate));

/**
 * Per cluster: its folder in the repository, the commit that wrote it, whom its inventory names, folders that it
 * has left, its bootstrap Kustomization, behind Azure its id and how Flux fares there, and a note where the files reach it only by
 * promotion.
 */
export const clusters = Object.fromEntries(
  fleet.clusters.map((cluster) => [cluster.name, bringUnderFlux(cluster)]),
);

sayWhatIsLeft(withoutAzure, fleet.clusters.length);
sayUnconnected(unconnected, fleet.clusters);

function writeFiles(cluster: Cluster): FluxFolder {
  return new FluxFolder(
    cluster.name,
    folderArgs(cluster, fleet, filesOf(cluster), settings.conflicts, {
      released: releasedOf(cluster),
      deletions: deletionsOf(cluster),
      facts: factsOf(cluster),
    }),
    optionsOf(cluster),
  );
}

/** The device of a cluster that is simulated, with its name. */
function simulate(cluster: Cluster): [string, SimulatedEdgeDevice][] {
  const { name, device, arc, hardware } = cluster;
  if (device === undefined || isLeft(cluster)) return [];
  const resourceGroupName = deviceGroup(arc.resourceGroup, arc.name);
  const args = { ...device, resourceGroupName, location: arc.location, tags: arc.tags, hardware };
  return [
    [name, new SimulatedEdgeDevice(name, args, { ...deviceOptions(cluster), ...subscriptionOf(cluster) })],
  ];
}

/** How Pulumi reaches a cluster: as its device says, else as the fleet file does. */
function accessTo({ name, kubeconfig }: Cluster): KubernetesAccess {
  const device = devices.get(name);
  return device === undefined ? readKubernetesAccess(kubeconfig) : { kubeconfig: device.kubeconfig };
}

function bringUnderFlux(cluster: Cluster): object {
  const folder = folders.get(cluster.name)!;
  const { branch, mode } = fleet.repository;
  const flux = installFlux(cluster);
  const secrets = createSecrets(cluster, flux);
  const note = promotionNote(cluster, branch, toPromote(cluster));
  return {
    ...bootstrapOf(cluster, folder, flux),
    ...(flux && { flux: flux.version }),
    folder: folder.folder,
    commit: folder.commit,
    inventory: folder.inventory,
    left: folder.left,
    ...(secrets && { secrets: secrets.versions }),
    ...(isWaiting(cluster) && { waits: mode === "pullRequest" ? "for the pull request" : "for promotion" }),
    ...(mode === "pullRequest" && { pullRequest: folder.pullRequest }),
    device: { hardware: cluster.hardware, isReplaceable: settings.protect },
    ...(note !== undefined && { note }),
    ...(cluster.lifecycle !== "active" && { lifecycle: cluster.lifecycle }),
  };
}

/** Flux itself, where the fleet file says that it is installed. */
function installFlux(cluster: Cluster): FluxControllers | undefined {
  const manifests = manifestsOf(cluster);
  if (manifests === undefined) return undefined;
  const { name, config: configurationName } = cluster;
  const args = { manifests, configurationName, ...leavingOf(cluster), ...accessTo(cluster) };
  return new FluxControllers(name, args, deviceOptions(cluster));
}

/** The secrets that get to a cluster by its kubeconfig, where there are any. */
function createSecrets(cluster: Cluster, flux: FluxControllers | undefined): ClusterSecrets | undefined {
  const secrets = createdOf(cluster);
  // A device that is not reached has no kubeconfig, and nobody else's will do.
  if (secrets.length === 0 || (cluster.device !== undefined && !devices.has(cluster.name))) return undefined;
  const args = { secrets, flux, ...leavingOf(cluster), ...accessTo(cluster) };
  return new ClusterSecrets(cluster.name, args, deviceOptions(cluster));
}

/** Who brings Flux's first objects to a cluster: Azure, the pack of its management cluster, it itself, or this update. */
function bootstrapOf(cluster: Cluster, folder: FluxFolder, flux: FluxControllers | undefined): object {
  if (cluster.platform === "arc") return throughAzure(cluster, folder);
  if (isBroughtByUpdate(cluster)) return directly(cluster, folder, flux);
  const { managedBy } = cluster;
  return managedBy === undefined ? { syncs: "itself" } : { managedBy };
}

function throughAzure(cluster: Cluster, folder: FluxFolder): object {
  if (isLeft(cluster)) return {};
  const { name, arc } = cluster;
  const args = fluxArgs(cluster, folder);
  const connected = cluster.agents === "install" && { cluster: connectToArc(cluster) };
  const now = inAzure(cluster);
  const adopted = adoptedOf(cluster);
  const flux = new FluxBootstrap(
    name,
    {
      ...args,
      ...extensionArgs(cluster),
      readCompliance: settings.compliance,
      suspend: args.suspend || now?.isSuspended === true,
      leftAlone: now?.isUnknown === true,
      ...(adopted && { adopted }),
      again: againOf(arrivalOf(cluster)),
      hooks: conflictHooks,
      ...connected,
    },
    { ...deviceOptions(cluster), ...subscriptionOf(cluster) },
  );
  const { arcId, bootstrapName, compliance } = flux;
  const { agents } = cluster;
  const declared =
    now?.isUnknown === true
      ? now.before.arc
      : {
          ...{ agents, location: arc.location, tags: arc.tags },
          ...(arc.subscription !== undefined && { subscription: arc.subscription }),
        };
  const suspended =
    now?.isUnknown === true ? now.before.suspended : args.suspend ? cluster.suspension?.reason : undefined;
  // Only once it is so in Azure.
  return {
    arcId,
    bootstrap: bootstrapName,
    arc: arcId.apply(() => declared),
    sent: now?.isUnknown === true ? now.before.sent : sentBy(flux.sentAt, args.access, arrivalOf(cluster)),
    ...(suspended !== undefined && { suspended: bootstrapName.apply(() => suspended) }),
    ...(compliance && { compliance }),
  };
}

function connectToArc(cluster: Cluster): EdgeCluster {
  const { name, arc } = cluster;
  const now = inAzure(cluster);
  return new EdgeCluster(
    name,
    {
      ...connectArgs(cluster),
      tags: { ...now?.foreignTags, ...arc.tags },
      keepsTags: now !== undefined && (now.keepsTags || now.isUnknown),
      agentsChart: settings.agentsChart,
      ...readProxyCertificates(arc.connection.proxy),
      awaitsConnection: isNew(cluster) || isReplaced(cluster),
      ...leavingOf(cluster),
      ...accessTo(cluster),
    },
    { ...deviceOptions(cluster), ...subscriptionOf(cluster) },
  );
}

/** The provider of the subscription that the fleet file names; the default one where it names none. */
function subscriptionOf({ arc: { subscription } }: Cluster): pulumi.ComponentResourceOptions {
  return subscription === undefined
    ? {}
    : { providers: { "azure-native": subscriptionProvider(subscription) } };
}

function directly(cluster: Cluster, folder: FluxFolder, flux: FluxControllers | undefined): object {
  const args = { ...fluxArgs(cluster, folder), flux, ...readKubernetesAccess(cluster.kubeconfig) };
  return { bootstrap: new FluxObjects(cluster.name, args, deviceOptions(cluster)).bootstrapName };
}

function fluxArgs(cluster: Cluster, folder: FluxFolder) {
  return {
    ...bootstrapArgs(cluster, fleet.repository),
    access: accessOf(cluster),
    keepsPath: isWaiting(cluster),
    ...leavingOf(cluster),
    folder,
  };
}

/** A cluster that is retired or lost loses its protection in one update, so that the next may drop it. */
function optionsOf({ lifecycle, formerly }: Cluster): pulumi.ComponentResourceOptions {
  const aliases = formerly === undefined ? {} : { aliases: [{ name: formerly }] };
  return { protect: settings.protect && lifecycle === "active", ...aliases };
}

/** A device that is replaced loses its protection for this update. Files in Git have nothing to do with it. */
function deviceOptions(cluster: Cluster): pulumi.ComponentResourceOptions {
  return { ...optionsOf(cluster), ...(isReplaced(cluster) && { protect: false }) };
}

/** Only what is protected can be let go: without that, a destroy would leave it on the device. */
function leavingOf({ lifecycle, hardware }: Cluster): Leaving {
  return { lifecycle, ...(settings.protect && { hardware }) };
}

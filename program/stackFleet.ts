import * as pulumi from "@pulumi/pulumi";

import { appliedBy, type Arrival, arrivalNotes } from "../status/index.ts";
import { fluxManifests } from "../checks/fluxManifests.ts";
import { checkFleet } from "../checks/checkFleet.ts";
import { readCheckedFleet } from "../checks/readCheckedFleet.ts";
import { type Finding, formatFinding } from "../fleet/finding.ts";
import type { Unconnected } from "../existing/index.ts";
import type { FluxBootstrapArgs } from "../components/fluxBootstrap.ts";
import type { ClusterUpdate, FleetFacts } from "../fleet/facts.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { GitError, makeBranches, type NewBranch } from "../git/index.ts";
import { configEnvironment } from "../provider/configEnvironment.ts";
import { tokenFaults } from "../provider/tokenHost.ts";
import { deviceFaults, deviceNotes, replacedDevices } from "./devices.ts";
import { showSome } from "../values/show.ts";
import { buildProgress } from "./buildProgress.ts";
import { lookAtAzure } from "./azureLook.ts";
import { createOnlyFaults } from "./createOnlyFaults.ts";
import { factsByCluster, fleetFacts } from "./fleetFacts.ts";
import type { FluxManifests } from "../install/index.ts";
import { foreignFlux } from "./fluxInstalls.ts";
import { findExisting } from "./existing.ts";
import { type AzureNow, foreignChanges } from "./foreignChanges.ts";
import { keepOutputs, readFormerStack, savedInventories } from "./formerClusters.ts";
import { leavingNotes } from "./leavingNotes.ts";
import { onClusters } from "./onClusters.ts";
import { deselectedFaults, protectedFaults } from "./protectedFaults.ts";
import { arrivalsOf } from "./arrivals.ts";
import { readCredentials } from "./readCredentials.ts";
import type { RepositoryAccess } from "../components/repositoryAccess.ts";
import { isNew, preflight } from "./preflight.ts";
import { renderedFolder } from "./renderedFolder.ts";
import { selectFrom } from "./selection.ts";
import { refuseUnknownKeys } from "./stackConfigKeys.ts";
import { readStackSecrets, type StackSecrets } from "./stackSecrets.ts";
import { refuseMissingSecrets, type StackSettings } from "./stackSettings.ts";
import { suspensionNotes } from "./suspensionNotes.ts";
import type { WithoutAzure } from "./withoutAzure.ts";
import { withKept } from "./withKept.ts";
import { versionNote, type WrittenBy, writtenBy } from "./writtenBy.ts";

/** The part of a fleet that the stack manages, and the files that belong into the folders of its clusters. */
export interface StackFleet {
  readonly fleet: Fleet;
  /** Secrets that Pulumi creates on a cluster. */
  readonly createdOf: StackSecrets["createdOf"];
  /** Path below the cluster folder to content: what is generated, and what has to stay in Git for now. */
  readonly filesOf: (cluster: Cluster) => Readonly<Record<string, string>>;
  /** Folders, from the root, that a cluster has left and that the fleet file releases. */
  readonly releasedOf: (cluster: Cluster) => readonly string[];
  /** Path from the root to the blob of each file that an update of the cluster may delete; undefined where nobody could look. */
  readonly deletionsOf: (cluster: Cluster) => Readonly<Record<string, string>> | undefined;
  /** Files that a cluster lacks until its stage is promoted; undefined where nobody could look. */
  readonly toPromote: (cluster: Cluster) => readonly string[] | undefined;
  /** Commits that the tags point to that sources are pinned to: a part of what the next update goes by. */
  readonly tags: Readonly<Record<string, string>>;
  /** Version of Arcflux and fleet file, by which the next preview tells a new version from an edit. */
  readonly writtenBy: WrittenBy;
  /** Whether another device takes the place of the one that the last update knew. */
  readonly isReplaced: (cluster: Cluster) => boolean;
  /** Whether the last update did not bring the cluster into Azure. */
  readonly isNew: (cluster: Cluster) => boolean;
  /** What a cluster reads the repository with. */
  readonly accessOf: (cluster: Cluster) => RepositoryAccess;
  /** Whether what the last update told Azure about a cluster has reached it. */
  readonly arrivalOf: (cluster: Cluster) => Arrival;
  /** Where Azure could not be asked. */
  readonly withoutAzure?: WithoutAzure;
  /** Clusters that Azure cannot bring Flux to now. */
  readonly unconnected: Unconnected;
  /** Whether nothing of a cluster is tried in Azure in this run. */
  readonly isLeft: (cluster: Cluster) => boolean;
  /** What policies judge of the fleet as a whole. */
  readonly facts: FleetFacts;
  /** What policies judge of an update before a cluster is written; undefined of one that it does not reach, and in a preview. */
  readonly factsOf: (cluster: Cluster) => ClusterUpdate | undefined;
  /** Whether the branch that a cluster follows gets its folder by a merge, and has not got it yet. */
  readonly isWaiting: (cluster: Cluster) => boolean;
  /** What Azure has already of a cluster that takes it over. */
  readonly adoptedOf: (cluster: Cluster) => FluxBootstrapArgs["adopted"];
  /** The manifests of the Flux that is installed on a cluster; undefined where others install it. */
  readonly manifestsOf: (cluster: Cluster) => FluxManifests | undefined;
  /** What others have in Azure of a cluster; undefined of one that is new. */
  readonly inAzure: (cluster: Cluster) => AzureNow | undefined;
}

/**
 * The part of the fleet that the stack manages. Checks the fleet file and the repository that will be committed to: in a
 * preview in full, and with a warning where it is out of reach; in an update for what it deletes and for what the sets
 * apply, since no preview need have gone before, and never without having looked. Warnings go to the log.
 *
 * @throws a RunError with everything that is wrong, before any resource is registered.
 */
export async function loadStackFleet(settings: StackSettings): Promise<StackFleet> {
  const { fleetFile, repositoryUrl, repositoryUrlFrom, selection, conflicts } = settings;
  const overrides = {
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(repositoryUrlFrom !== undefined && { repositoryUrlFrom }),
  };
  const loaded = await readCheckedFleet(fleetFile, overrides);
  tell(loaded.findings);
  if (loaded.fleet === undefined) throw new pulumi.RunError("The fleet file could not be read.");
  refuseUnknownKeys(loaded.fleet);
  const fleet = { ...loaded.fleet, clusters: selectFrom(loaded.fleet, selection) };
  refuseMissingSecrets(fleet);
  const secrets = await readStackSecrets(fleet, fleetFile);
  const accessOf = await readCredentials(fleet, fleetFile);
  const render = (cluster: Cluster) => renderedFolder(cluster, fleet, () => secrets.sealedOf(cluster));
  const former = await readFormerStack();
  keepOutputs(former);
  refuseOtherHost(former.repository, fleet.repository.url);
  const gone = settings.protect
    ? protectedFaults(fleet.clusters, former.clusters)
    : deselectedFaults(fleet.clusters, loaded.fleet.clusters, former.clusters);
  const preview = pulumi.runtime.isDryRun();
  const onProgress = buildProgress();
  let onEach: readonly string[] = [];
  let facts: FleetFacts | undefined;
  let reached: readonly Cluster[] = [];
  const emergency = process.env["ARCFLUX_EMERGENCY"];
  const looking = lookAtAzure(fleet);
  const replaced = replacedDevices(fleet.clusters, former.clusters);
  const reading = fluxManifests(fleet, loaded.finding, fleetFile, {
    env: configEnvironment(process.env),
  });
  const installer = ({ name }: Cluster) => `${pulumi.getProject()}/${pulumi.getStack()}/${name}-flux`;
  const [
    checked,
    { refused: there, unasked, left, adopted, unconnected },
    foreign,
    unready,
    manifests,
    installed,
    look,
  ] = await Promise.all([
    checkFleet(fleet, {
      finding: loaded.finding,
      render,
      // The token of the stack config, and the host that it is for, hold for this look too.
      context: { env: configEnvironment(process.env) },
      ...appliedBy(fleet),
      whole: selection === undefined,
      tags: former.tags,
      emergency,
      all: process.env["ARCFLUX_ALL"],
      whose: { declared: loaded.fleet.clusters, owner: `${pulumi.getProject()}/${pulumi.getStack()}` },
      extent: preview ? "folders" : "deletions",
      unreachable: preview ? "warn" : "stop",
      noEngine: preview ? "warn" : "stop",
      built: { ...(onProgress && { onProgress }) },
      look: async (look) => {
        facts = await fleetFacts(fleet, loaded.fleet?.clusters ?? [], look);
        reached = look.reached;
        if (preview) onEach = await onClusters(fleet, look);
      },
      // GitFiles stops at one cluster and lets the others go on, so this must stop none.
      others: "warning",
      writer: {
        stack: `${pulumi.getProject()}/${pulumi.getStack()}`,
        saved: savedInventories(former.clusters),
        adopt: conflicts.adopt,
        drift: conflicts.drift,
        ...(conflicts.takeFrom !== undefined && { takeFrom: conflicts.takeFrom }),
      },
    }),
    looking.then((look) => findExisting(fleet, former.clusters, look)),
    looking.then((look) => foreignChanges(fleet.clusters, former.clusters, look)),
    looking.then((look) => preflight(fleet.clusters, former.clusters, replaced, look, settings.agentsChart)),
    reading,
    reading.then(({ of }) => foreignFlux(fleet.clusters, of, former.clusters, installer)),
    looking,
  ]);
  const refused = [
    ...gone,
    ...createOnlyFaults(fleet.clusters, former.clusters, foreign.locations),
    ...deviceFaults(fleet.clusters, former.clusters),
    ...unready,
    ...installed,
  ];
  const rows = "fault" in look ? undefined : look.rows;
  const arrivals = arrivalsOf(former.clusters, fleet.clusters, rows, Date.now());
  const { findings, kept, mayDelete, released, waiting, toPromote, toMake, changes, tags } = checked;
  const stops = "An update stops here while that lasts.";
  const untold = preview ? [] : unasked.map((line) => `${line}. Nothing was changed.`);
  tell([...manifests.findings, ...findings], [...refused, ...there, ...untold]);
  if (preview) for (const line of unasked) void pulumi.log.warn(`${line}. ${stops}`);
  if (adopted.size > 0)
    void pulumi.log.info(
      `${showSome(adopted.keys())}: Flux in Azure is taken over (adopt: true), and set to what the fleet file says.`,
    );
  for (const line of foreign.warnings) void pulumi.log.warn(line);
  const by = writtenBy(loaded);
  const why = versionNote(former.writtenBy, by);
  if (changes.length > 0)
    void pulumi.log.info(["In Git:", ...changes, ...(why === undefined ? [] : [why])].join("\n  "));
  if (onEach.length > 0)
    void pulumi.log.info(["On the clusters, once they have the commit:", ...onEach, seeMore].join("\n  "));
  for (const note of [
    ...leavingNotes(fleet.clusters),
    ...suspensionNotes(fleet.clusters),
    ...deviceNotes(fleet.clusters, former.clusters),
    ...arrivalNotes(arrivals),
  ])
    void pulumi.log.warn(note);
  if (!preview && toMake.length > 0) await makeStageBranches(fleet, toMake);
  const known = facts ?? (await fleetFacts(fleet, loaded.fleet.clusters, undefined));
  // Before an update does anything, it is judged at each cluster that it reaches; a preview, as a whole when it is over.
  const byCluster = preview ? undefined : factsByCluster(known, fleet, reached);
  const down = left ?? ("fault" in look ? { why: look.fault, next: look.next, clusters: [] } : undefined);
  const leftOut = new Set([...(down?.clusters ?? []), ...unconnected.absent, ...unconnected.away.keys()]);
  return {
    fleet,
    createdOf: secrets.createdOf,
    filesOf: (cluster) => withKept(cluster, render(cluster), kept.get(cluster.name)),
    isReplaced: ({ name }) => replaced.has(name),
    accessOf,
    arrivalOf: ({ name }) => arrivals.get(name) ?? { state: "unknown", before: undefined },
    isNew: (cluster) => isNew(cluster, former.clusters),
    ...(down && {
      withoutAzure: { why: down.why, next: down.next, left: new Set(down.clusters) },
    }),
    unconnected,
    isLeft: ({ name }) => leftOut.has(name),
    releasedOf: ({ name }) => released.get(name) ?? [],
    deletionsOf: ({ name }) => mayDelete?.get(name),
    toPromote: ({ name }) => toPromote.get(name),
    tags: tags ?? former.tags,
    writtenBy: by,
    facts: preview ? known : { clusters: known.clusters, stages: known.stages },
    factsOf: (cluster) => byCluster?.get(cluster),
    isWaiting: ({ name }) => waiting.has(name),
    manifestsOf: manifests.of,
    inAzure: ({ name }) => foreign.of.get(name),
    adoptedOf: ({ name }) => adopted.get(name),
  };
}

const seeMore = "(arcflux diff shows each object)";

/** Before the first look: a pull request can change the URL, and must not get the token by its preview. */
function refuseOtherHost(before: string | undefined, url: string): void {
  const faults = tokenFaults({ repository: before }, { repository: url }, configEnvironment(process.env));
  if (faults.length > 0) throw new pulumi.RunError(faults.join("\n"));
}

/** Made before anything is registered: a cluster that follows a branch which is not there fails from the start. */
async function makeStageBranches({ repository }: Fleet, branches: readonly NewBranch[]): Promise<void> {
  try {
    await makeBranches(repository.url, branches, { env: configEnvironment(process.env) });
  } catch (error) {
    throw error instanceof GitError ? new pulumi.RunError(error.message) : error;
  }
}

/** Throws all of it where any of it is an error, else says it as warnings. */
function tell(findings: readonly Finding[], errors: readonly string[] = []): void {
  const lines = findings.map(formatFinding);
  const isWrong = errors.length > 0 || findings.some(({ severity }) => severity === "error");
  if (isWrong) throw new pulumi.RunError([...lines, ...errors].join("\n"));
  for (const line of lines) void pulumi.log.warn(line);
}

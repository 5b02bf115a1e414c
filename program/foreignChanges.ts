import { type ExistingRow, readSuspended } from "../existing/index.ts";
import type { Cluster } from "../fleet/model.ts";
import { inParallel } from "../status/index.ts";
import { showSome } from "../values/show.ts";
import { type AzureLook, rowOf } from "./azureLook.ts";
import { suspendsBootstrap } from "./declaredArgs.ts";
import { type FormerCluster, formerOf } from "./formerClusters.ts";

/** What others have in Azure of one cluster, and how an update goes on with it. */
export interface AzureNow {
  /** Tags that this stack never wrote: an update that writes the cluster writes them too. */
  readonly foreignTags: Readonly<Record<string, string>>;
  /** Whether its tags in Azure stay as they are, since the fleet file changes none of its own. */
  readonly keepsTags: boolean;
  /** Whether somebody suspended its Flux configuration there: it stays so. */
  readonly isSuspended: boolean;
  /** Whether somebody resumed there what the fleet file suspends. */
  readonly isResumed: boolean;
  /** Whether nobody could look: an update leaves its Flux configuration and its tags alone. */
  readonly isUnknown: boolean;
  /** What the last update said of it, which so stays true where nobody could look. */
  readonly before: FormerCluster;
}

/** What is to be known of clusters that the last update had. */
export interface ForeignChanges {
  /** By name; nothing of a cluster that is new. */
  readonly of: ReadonlyMap<string, AzureNow>;
  /** Regions, by name. */
  readonly locations: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/** Configurations that are read at once. */
const parallel = 8;

interface Known {
  readonly cluster: Cluster;
  readonly before: FormerCluster & { readonly arcId: string };
  readonly row: ExistingRow | undefined;
}

/**
 * What others changed in Azure since the last update, by one query for all clusters. That is minutes old, so that Azure
 * itself is asked about each configuration of which it says something unexpected. Never rejects.
 */
export async function foreignChanges(
  clusters: readonly Cluster[],
  former: Readonly<Record<string, FormerCluster>>,
  look: AzureLook,
): Promise<ForeignChanges> {
  const rows = "fault" in look ? undefined : look.rows;
  const known = clusters.flatMap((cluster): Known[] => {
    const { name, platform, lifecycle } = cluster;
    const before = formerOf(cluster, former);
    if (platform !== "arc" || lifecycle === "lost" || before?.arcId === undefined) return [];
    const { arcId } = before;
    const row = rowOf(arcId, rows?.get(name));
    return [{ cluster, before: { ...before, arcId }, row }];
  });
  const asked = await suspensions(known, look);
  const of = new Map(
    known.map((one): [string, AzureNow] => [
      one.cluster.name,
      azureNow(one, asked.suspended.get(one.cluster.name)),
    ]),
  );
  return {
    of,
    locations: new Map(
      known.flatMap(({ cluster, row }) => (row?.location ? [[cluster.name, row.location]] : [])),
    ),
    warnings: [...warningsOf(known, of), ...unknownWarning(asked)],
  };
}

function azureNow({ cluster, before, row }: Known, suspended: boolean | undefined): AzureNow {
  const own = { ...before.arc?.tags, ...cluster.arc.tags };
  const foreign = Object.entries(row?.tags ?? {}).filter(([key]) => !Object.hasOwn(own, key));
  return {
    foreignTags: Object.fromEntries(foreign),
    keepsTags: before.arc !== undefined && sameTags(before.arc.tags ?? {}, cluster.arc.tags),
    isSuspended: suspended === true && before.suspended === undefined,
    isResumed: suspended === false && before.suspended !== undefined,
    isUnknown: suspended === undefined,
    before,
  };
}

interface Asked {
  /** By name; absent where nobody could tell. */
  readonly suspended: ReadonlyMap<string, boolean>;
  readonly unknown: readonly string[];
  readonly why: string;
}

async function suspensions(known: readonly Known[], look: AzureLook): Promise<Asked> {
  const suspended = new Map<string, boolean>();
  const unknown: string[] = [];
  let why = "fault" in look ? look.fault : "";
  await inParallel(known, parallel, async ({ cluster, before, row }) => {
    const { name } = cluster;
    const said = row === undefined ? undefined : row.suspended === "true";
    const expected = before.suspended !== undefined;
    if (said === expected) return void suspended.set(name, said);
    if ("fault" in look) return void unknown.push(name);
    try {
      suspended.set(name, await readSuspended(cluster, before.arcId, look.access, look.signal));
    } catch (error) {
      why = look.words(error);
      unknown.push(name);
    }
  });
  return { suspended, unknown, why };
}

function unknownWarning({ unknown, why }: Asked): string[] {
  if (unknown.length === 0) return [];
  return [
    `Azure could not be asked what others changed at ${showSome(unknown)} (${why}). ` +
      "Their Flux configurations and tags in Azure stay as they are in this update, a new `suspend` without `through: git` too. Run again once it answers.",
  ];
}

function warningsOf(known: readonly Known[], of: ReadonlyMap<string, AzureNow>): string[] {
  const suspended = known.filter(({ cluster }) => of.get(cluster.name)?.isSuspended === true);
  const resumed = known.filter(
    ({ cluster }) => suspendsBootstrap(cluster) && of.get(cluster.name)?.isResumed === true,
  );
  const others = known.flatMap(({ cluster, before, row }) => {
    const now: Readonly<Record<string, string>> | null = row?.tags ?? null;
    if (now === null || cluster.agents === "present") return [];
    const changed = Object.entries(cluster.arc.tags).filter(
      ([key, value]) => before.arc?.tags?.[key] === value && now[key] !== value,
    );
    return changed.map(([key]) => ({ name: cluster.name, key }));
  });
  return [
    ...(suspended.length === 0
      ? []
      : [
          `${showSome(suspended.map(({ cluster }) => cluster.name))}: Flux was suspended in Azure, not by the fleet file, and stays so. ` +
            "Write `suspend: { reason: … }` on the cluster, or resume it in Azure.",
        ]),
    ...(resumed.length === 0
      ? []
      : [
          `${showSome(resumed.map(({ cluster }) => cluster.name))}: the fleet file suspends Flux, and somebody resumed it in Azure. ` +
            "Take `suspend` out, or run `pulumi up --refresh` to suspend it again.",
        ]),
    ...[...Map.groupBy(others, ({ key }) => key)].map(
      ([key, alike]) =>
        `${showSome(alike.map(({ name }) => name))}: tag ${key} was changed or deleted in Azure. ` +
        "The next change of `arc.tags` writes it back; write Azure's value into the fleet file to keep it.",
    ),
  ];
}

function sameTags(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => a[key] === b[key]);
}

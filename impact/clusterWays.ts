import { isDeepStrictEqual } from "node:util";
import type { Cluster, Repository } from "../fleet/model.ts";
import { asMap } from "../values/maps.ts";
import type { Way } from "./model.ts";

/** What a fleet file says of a cluster, and of the repository that it reads. */
interface Said {
  readonly cluster: Cluster;
  readonly repository: Repository;
}

/**
 * Fields that do not reach a cluster by themselves: they say who it is among others, or stand in generated files, which
 * are compared as files. Every other field counts, and with it one that comes tomorrow.
 */
const withoutReach: ReadonlySet<string> = new Set<keyof Cluster>([
  ...(["labels", "attributes", "stage", "ring", "formerly", "ready", "promotedFrom", "freeze"] as const),
  ...(["sets", "sources", "windows", "tenants", "alerts", "apps", "knownRecipients", "idle"] as const),
  "manages",
]);

/** How an update writes; what clusters follow is a field of theirs. */
const ofWriting: ReadonlySet<string> = new Set<keyof Repository>([
  ...(["branch", "mode", "pullRequest", "createBranch", "expires", "commit"] as const),
]);

/** Deliveries of secrets that come as files in Git, or not by an update at all. */
const byGit: ReadonlySet<string> = new Set(["git", "externalSecrets", "csi", "external"]);

/** What an update changes of a cluster by other means than a file in Git: in Azure, on the cluster, in its secrets. */
export function clusterWays(before: Said, after: Said): Way[] {
  return ways(fieldsOf(before), fieldsOf(after));
}

/** The same for a cluster that gets its files by promotion: what an update changes all the same, at once. */
export function waysAtOnce(before: Said, after: Said): Way[] {
  return ways(pushed(before), pushed(after));
}

function ways(before: Fields, after: Fields): Way[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) =>
    changedIn(field, before[field], after[field]),
  );
  return fields.length === 0 ? [] : [{ way: "cluster", fields }];
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf({ cluster, repository }: Said): Fields {
  const own = Object.entries(cluster).filter(([field]) => !withoutReach.has(field));
  const shared = Object.entries(repository).filter(([field]) => !ofWriting.has(field));
  // Without a secret it is the same whether the fleet file has some for others.
  return {
    ...Object.fromEntries(own),
    secrets: cluster.secrets ?? [],
    repository: Object.fromEntries(shared),
  };
}

function pushed(said: Said): Fields {
  const secrets = (said.cluster.secrets ?? []).filter(({ deliver }) => !byGit.has(deliver));
  return { ...fieldsOf(said), secrets };
}

/** `arc.name` where maps differ in that, else the field. */
function changedIn(field: string, old: unknown, fresh: unknown): string[] {
  if (isDeepStrictEqual(old, fresh)) return [];
  if (old === undefined || fresh === undefined) return [field];
  const [one, other] = [asMap(old), asMap(fresh)];
  const inner = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const changed = inner.filter((key) => !isDeepStrictEqual(one[key], other[key]));
  return changed.length === 0 ? [field] : changed.map((key) => `${field}.${key}`);
}

import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";

import type { RepositoryAccess } from "../components/repositoryAccess.ts";
import type { ExistingRow } from "../existing/index.ts";
import { showSome } from "../values/show.ts";
import { rowOf } from "./azureLook.ts";
import { type FormerCluster, formerOf } from "./formerClusters.ts";

/** What was last told to Azure about a cluster: a part of the output `clusters`. */
export interface Sent {
  /** ISO; when Azure took the configuration. */
  readonly at: string;
  /** Which credential it was told, by the beginning of its SHA-256; absent for a public repository. */
  readonly credential?: string;
  /** Which one it had before, until the cluster is known to have the new one. */
  readonly replaces?: string;
  /** How often it was sent again though nothing had changed. */
  readonly again?: number;
}

/** How what was sent fares. */
export interface Arrival {
  /** `unknown` where nobody could tell, such as before anything was sent. */
  readonly state: "arrived" | "under way" | "dropped" | "unknown";
  readonly before: Sent | undefined;
}

/** Azure keeps what a cluster has not fetched for so long, in milliseconds; secrets may go earlier. */
const keeps = 48 * 3_600_000;

/**
 * Whether what was last sent has reached a cluster: since then it has told Azure how it fares. `row` is what Resource Graph
 * says of the cluster now; undefined where nobody could ask.
 */
export function arrivalOf(before: Sent | undefined, row: ExistingRow | undefined, now: number): Arrival {
  const sent = Date.parse(before?.at ?? "");
  if (Number.isNaN(sent) || row === undefined) return { state: "unknown", before };
  const told = Date.parse(row.toldAt ?? "");
  if (told >= sent) return { state: "arrived", before };
  return { state: now - sent > keeps ? "dropped" : "under way", before };
}

/** How often the next update has sent the configuration again. */
export function againOf({ state, before }: Arrival): number {
  return (before?.again ?? 0) + (state === "dropped" ? 1 : 0);
}

/** What an update sends: its time as Azure has it, and which credential. */
export function sentBy(
  at: pulumi.Output<string>,
  access: RepositoryAccess,
  arrival: Arrival,
): pulumi.Output<Sent> {
  const again = againOf(arrival);
  return pulumi.all([at, credentialHash(access)]).apply(([time, credential]): Sent => {
    const { credential: had, replaces } = arrival.before ?? {};
    const old = had !== credential ? had : arrival.state === "arrived" ? undefined : replaces;
    return {
      at: time,
      ...(credential !== undefined && { credential }),
      ...(old !== undefined && { replaces: old }),
      ...(again > 0 && { again }),
    };
  });
}

/** Eight digits tell credentials of one fleet apart, and nobody finds a token by them. */
function credentialHash(access: RepositoryAccess): pulumi.Output<string | undefined> {
  const secret =
    access.kind === "token" ? access.token : access.kind === "ssh" ? access.privateKey : undefined;
  if (secret === undefined) return pulumi.output(undefined);
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
  return pulumi.unsecret(pulumi.output(secret).apply(hash));
}

/** What is to be known before an update: what is sent again, and who still reads with an old credential. */
export function arrivalNotes(arrivals: ReadonlyMap<string, Arrival>): string[] {
  const all = [...arrivals];
  const dropped = all.filter(([, { state }]) => state === "dropped");
  const lacking = all.filter(
    ([, { state, before }]) => state !== "arrived" && before?.replaces !== undefined,
  );
  return [
    ...(dropped.length === 0
      ? []
      : [
          `${showSome(dropped.map(([name]) => name))}: what was sent last (${day(dropped)}) did not arrive within 48 hours, so Azure dropped it, credentials too. ` +
            "The update sends it again, though nothing changed.",
        ]),
    ...[
      ...Map.groupBy(lacking, ([, { before }]) => `${before?.credential} ${before?.replaces}`).values(),
    ].map(
      (group) =>
        `${showSome(group.map(([name]) => name))}: credential ${group[0]?.[1].before?.credential ?? "none"}, sent ${day(group)}, has not arrived. ` +
        `Keep ${group[0]?.[1].before?.replaces} valid at the Git host until it has.`,
    ),
  ];
}

/** The earliest day. */
function day(some: readonly (readonly [string, Arrival])[]): string {
  return some.map(([, { before }]) => before?.at.slice(0, 10) ?? "").sort()[0] ?? "";
}

/** Arrivals of all clusters that the last update had behind Azure. */
export function arrivalsOf(
  former: Readonly<Record<string, FormerCluster>>,
  clusters: readonly { readonly name: string; readonly formerly?: string }[],
  rows: ReadonlyMap<string, readonly ExistingRow[]> | undefined,
  now: number,
): ReadonlyMap<string, Arrival> {
  return new Map(
    clusters.flatMap((cluster): [string, Arrival][] => {
      const { arcId, sent } = formerOf(cluster, former) ?? {};
      if (arcId === undefined) return [];
      return [[cluster.name, arrivalOf(sent, rowOf(arcId, rows?.get(cluster.name)), now)]];
    }),
  );
}

import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";

import type { RepositoryAccess } from "../components/repositoryAccess.ts";
import type { ExistingRow } from "../existing/index.ts";
import { type Arrival, arrivalOf, type Sent } from "../status/index.ts";
import { rowOf } from "./azureLook.ts";
import { type FormerCluster, formerOf } from "./formerClusters.ts";

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

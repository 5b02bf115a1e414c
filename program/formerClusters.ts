import * as pulumi from "@pulumi/pulumi";

import type { AgentsMode } from "../fleet/model.ts";
import type { SavedInventory } from "../components/fluxFolder.ts";
import type { Sent } from "../status/index.ts";
import type { FormerDevice } from "./devices.ts";
import type { WrittenBy } from "./writtenBy.ts";

/** What the last update said of a cluster: a part of the output `clusters`. */
export interface FormerCluster {
  /** Azure id of the connected cluster; absent where it is not behind Azure. */
  readonly arcId?: string;
  /** What the fleet file said of it that Azure shows or keeps; absent where it is not behind Azure. */
  readonly arc?: Partial<Declared>;
  /** Why its fleet file suspended it; absent where it did not. */
  readonly suspended?: string;
  /** Commit that last wrote its files. */
  readonly commit?: string;
  /** Name of its bootstrap Kustomization. */
  readonly bootstrap?: string;
  /** Version of the Flux that was installed on it; absent where others install it. */
  readonly flux?: string;
  /** What was last told to Azure about it; absent where it is not behind Azure. */
  readonly sent?: Sent;
  /** The device that it ran on. */
  readonly device?: FormerDevice;
  /** Present where it was being given up: `retired` or `lost`. */
  readonly lifecycle?: string;
  /** Where the inventory of its folder lies, whom it names, and the serial of the last write. */
  readonly inventory?: Partial<SavedInventory>;
}

interface Declared {
  readonly agents: AgentsMode;
  /** Only where the fleet file named it. */
  readonly subscription: string;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** What the last update of the stack put out. */
export interface FormerStack {
  /** By name; empty before the first update. */
  readonly clusters: Readonly<Record<string, FormerCluster>>;
  /** Commits that tags pointed to which sources were pinned to. */
  readonly tags: Readonly<Record<string, string>>;
  /** URL of the repository; absent before the first update. */
  readonly repository?: string;
  /** Version of Arcflux and fleet file; absent before the first update. */
  readonly writtenBy?: WrittenBy;
}

/**
 * The stack as its last update left it. Nothing rests on this but words and moved tags: what is protected stays protected
 * by the engine, so a backend that does not answer is no fault.
 */
export async function readFormerStack(): Promise<FormerStack> {
  try {
    const name = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
    const answer = (await pulumi.runtime.invoke("pulumi:pulumi:readStackOutputs", { name })) as {
      readonly outputs?: Partial<FormerStack>;
    };
    const { clusters = {}, tags = {}, repository, writtenBy } = answer.outputs ?? {};
    return {
      clusters: Object.fromEntries(
        Object.entries(clusters).map(([cluster, saved]) => [cluster, learned(saved)]),
      ),
      tags,
      ...(repository !== undefined && { repository }),
      ...(writtenBy !== undefined && { writtenBy }),
    };
  } catch {
    return { clusters: {}, tags: {} };
  }
}

/** What the last update said of a cluster, under the name that it has now or had before. */
export function formerOf(
  { name, formerly = name }: { readonly name: string; readonly formerly?: string },
  former: Readonly<Record<string, FormerCluster>>,
): FormerCluster | undefined {
  const known = [name, formerly].find((one) => Object.hasOwn(former, one));
  return known === undefined ? undefined : former[known];
}

const texts = ["arcId", "suspended", "commit", "bootstrap", "flux", "lifecycle"] as const;

/** Without what the last update did not learn since it was stopped: the outputs hold the engine's own mark in its place. */
function learned(cluster: FormerCluster): FormerCluster {
  const unknown = texts.filter((key) => key in cluster && typeof cluster[key] !== "string");
  if (unknown.length === 0) return cluster;
  return Object.fromEntries(
    Object.entries(cluster).filter(([key]) => !(unknown as readonly string[]).includes(key)),
  );
}

/**
 * What the saved state knows of the inventories, by cluster: who was called otherwise when it was saved still owns its
 * folders. A cluster whose write failed has but a part of that.
 */
export function savedInventories(
  former: Readonly<Record<string, FormerCluster>>,
): ReadonlyMap<string, SavedInventory & { readonly commit?: string }> {
  return new Map(
    Object.entries(former).flatMap(([name, { inventory, commit }]) => {
      const { folder, owner, serial } = inventory ?? {};
      if (folder === undefined || owner === undefined || serial === undefined) return [];
      return [[name, { folder, owner, serial, ...(commit !== undefined && { commit }) }] as const];
    }),
  );
}

/**
 * Says at the start that the stack has what it had: the engine lists all outputs as deleted where an update ends before the
 * program does.
 */
export function keepOutputs({ clusters, tags, ...rest }: FormerStack): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || Object.keys(clusters).length === 0) return;
  pulumi.runtime.registerResourceOutputs(stack, { clusters, tags, ...rest });
}

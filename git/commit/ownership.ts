import { highestSerial, type Inventory } from "./inventory.ts";

/** Who asks for a folder, and what was decided about it. */
export interface Claim {
  /** Project, stack and cluster. `*` in place of the first two is whoever it may be: a check without a stack asks so. */
  readonly owner: string;
  /** Name that the cluster had before, by `formerly` in the fleet file. */
  readonly formerly?: string | undefined;
  /** Project and stack that folders are taken over from, by stack config `arcflux:takeFrom`. */
  readonly takeFrom?: string | undefined;
  /** Owner and serial in the saved state, where that is about this folder. */
  readonly state?: { readonly owner?: string | undefined; readonly serial?: number | undefined } | undefined;
}

/**
 * Whose a folder is by its inventory:
 *
 * - `ours`: it names us, or the cluster as it was called before
 * - `byState`: it names another, as we were called when this state was saved (a stack or project that was renamed, a state
 *   that was moved): who holds the state with the folder's serial owns it
 * - `taken`: it was another stack's, or a later run's of our own, and was decided to be ours
 * - `others`: anything else
 */
export type Ownership = "ours" | "byState" | "taken" | "others";

export function ownershipOf({ owner, formerly, takeFrom, state }: Claim, inventory: Inventory): Ownership {
  const { stack, cluster } = partsOf(owner);
  const names = [cluster, ...(formerly === undefined ? [] : [formerly])];
  const named = partsOf(inventory.owner);
  const isOurCluster = names.includes(named.cluster);
  if (isOurCluster && takeFrom === named.stack) return "taken";
  if (isOurCluster && (stack === named.stack || stack === "*/*")) return "ours";
  const { owner: saved, serial } = state ?? {};
  return saved === inventory.owner && serial !== undefined && highestSerial(inventory) <= serial
    ? "byState"
    : "others";
}

/** Project and stack, and the cluster, whose name may hold anything. */
export function partsOf(owner: string): { readonly stack: string; readonly cluster: string } {
  const [project = "", stack = "", ...cluster] = owner.split("/");
  return { stack: `${project}/${stack}`, cluster: cluster.join("/") };
}

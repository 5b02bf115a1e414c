import { inParallel, type ObjectApi } from "../status/index.ts";
import { type Entry, inventoryRef, readInventory, writeInventory } from "./inventory.ts";
import { atOnce, removed } from "./applyPlan.ts";
import { inOrder, isGround, textOf } from "./order.ts";

/** What taking a cluster's sets out did, or would do. */
export interface TakenOut {
  /** What goes, in that order: `Deployment shop/web`. */
  readonly goes: readonly string[];
  /** What stays, each with why. */
  readonly stays: readonly string[];
  /** What was still there when time was up. */
  readonly late: readonly string[];
}

interface TakeOutOptions {
  readonly isMeant: boolean;
  /** Milliseconds for everything to be gone. */
  readonly timeout: number;
  /** Why an object stays though an apply made it, as a sentence; undefined where it goes. */
  readonly keeps?: (entry: Entry) => string | undefined;
}

interface TakeOutWorld {
  readonly api: ObjectApi;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

/** Between two looks at what is still there, in milliseconds. */
const pause = 1_000;

/**
 * Deletes what applies of a cluster made, the last set first, and waits until it is gone: an operator has to be there while
 * its objects go. Only looks unless `isMeant`. Rejects with ApplyError where the inventory cannot be read.
 */
export async function takeOut(
  cluster: string,
  { isMeant, timeout, keeps = () => undefined }: TakeOutOptions,
  { api, sleep, now }: TakeOutWorld,
): Promise<TakenOut> {
  const inventory = await readInventory(api, cluster);
  const sets = [...inventory]
    .reverse()
    .map(([, entries]) =>
      inOrder(entries.filter((entry) => entry.made && keeps(entry) === undefined)).reverse(),
    );
  // Namespaces and kinds hold what other sets made.
  const steps = [
    ...sets.map((entries) => entries.filter((entry) => !isGround(entry))),
    sets.flat().filter(isGround),
  ].filter((entries) => entries.length > 0);
  const stays = [...inventory.values()].flat().flatMap((entry) => {
    if (!entry.made) return [`${textOf(entry)} was made by others, and stays`];
    return keeps(entry) ?? [];
  });
  const found = { goes: steps.flat().map(textOf), stays };
  if (!isMeant) return { ...found, late: [] };
  const deadline = now() + timeout;
  for (const step of steps) {
    const open: Entry[] = [];
    await inParallel(step, atOnce, async (entry) => {
      const removal = await removed(entry, cluster, api);
      if ("stays" in removal) stays.push(removal.stays);
      else if (removal.isGoing) open.push(entry);
    });
    for (let still = open; still.length > 0;) {
      const next: Entry[] = [];
      await inParallel(still, atOnce, async (entry) => {
        if ((await api.read(entry)) !== undefined) next.push(entry);
      });
      still = next;
      if (still.length > 0 && now() > deadline) return { ...found, late: still.map(textOf) };
      if (still.length > 0) await sleep(pause);
    }
  }
  if (inventory.size > 0) {
    await writeInventory(api, cluster, new Map());
    await api.remove(inventoryRef(cluster));
  }
  return { ...found, late: [] };
}

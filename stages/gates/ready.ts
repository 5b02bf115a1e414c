import type { Cluster } from "../../fleet/model.ts";
import { countByGate, defaultGate, type FleetStatus, readyAt } from "../../status/index.ts";
import { type Gate, passes, stops, stopsUnless } from "../gate.ts";

/** Asks clusters what they run; rejects where nobody could be asked at all. */
export type Ask = (clusters: readonly Cluster[]) => Promise<FleetStatus>;

/** The clusters of the stage before must be ready with that very commit, by their count. */
export async function readyGate(
  before: string | undefined,
  clusters: readonly Cluster[],
  commit: string,
  ask: Ask,
  unverified: boolean,
): Promise<Gate> {
  if (before === undefined) return passes("ready", "no stage comes before");
  const way = "Wait for it (arcflux wait), or see arcflux status --failing";
  const pass = unverified ? "--unverified" : undefined;
  const without = "Or promote it --unverified, which is written into the commit";
  if (clusters.length === 0)
    return stopsUnless(pass, "ready", `stage ${before} has no cluster to prove it`, without);
  const status = await ask(clusters).catch((error: unknown) => (error as Error).message);
  if (typeof status === "string")
    return stopsUnless(pass, "ready", `${before} could not be asked: ${status}`, without);
  const [count] = countByGate(clusters, status, commit);
  if (count === undefined || count.passes) return passes("ready", `${before}: ${count?.text ?? ""}`);
  const text = [`${before}: ${count.text}`, ...status.faults].join("; ");
  const notAsked = new Set(count.others["not asked"]);
  const gate = { ...defaultGate, ...clusters[0]?.ready };
  const isFailing = (count.others.failing?.length ?? 0) > gate.failing;
  const stopped = { ...stops("ready", `${text}. ${way}`), isFailing };
  if (notAsked.size === 0) return stopped;
  // What is known to be wrong stops all the same.
  const asked = status.states.filter(({ cluster }) => !notAsked.has(cluster));
  const rest = readyAt(asked, commit, gate, { history: status.history });
  return asked.length === 0 || rest.passes ? stopsUnless(pass, "ready", text, `${way}. ${without}`) : stopped;
}

import type { Cluster } from "../fleet/model.ts";
import type { FleetStatus } from "./askFleet.ts";
import { nextOpening } from "./nextOpening.ts";
import { defaultGate, type Gate, readyAt, type ReadyContext, type ReadyCount } from "./ready.ts";

/** The count of the clusters of one stage, by that stage's own gate. */
export interface StageCount extends ReadyCount {
  /** Absent for clusters without a stage. */
  readonly stage?: string;
}

/** Counts the clusters of each stage by its own gate, or all by one that is given; in the order of the fleet file. */
export function countByGate(
  clusters: readonly Cluster[],
  { states, history, asOf }: Pick<FleetStatus, "states" | "history" | "asOf">,
  commit?: string,
  gate: Partial<Gate> = {},
): StageCount[] {
  const byName = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  const context: ReadyContext = {
    history,
    nextOpening(window, name) {
      const cluster = byName.get(name);
      return cluster && nextOpening(cluster, window, new Date(asOf));
    },
  };
  // Each ring of a stage has a count and a gate of its own.
  const stages = Map.groupBy(clusters, ({ stage, ring }) =>
    ring === undefined ? stage : `${stage ?? ""}/${ring}`,
  );
  return [...stages].map(([stage, members]) => {
    const names = new Set(members.map(({ name }) => name));
    const own = states.filter(({ cluster }) => names.has(cluster));
    return {
      ...(stage !== undefined && { stage }),
      ...readyAt(own, commit, { ...defaultGate, ...members[0]?.ready, ...gate }, context),
    };
  });
}

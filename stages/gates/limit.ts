import type { Fleet } from "../../fleet/model.ts";
import { type Gate, passes, stopsUnless } from "../gate.ts";
import type { Route } from "../route.ts";

/** How many clusters one step may reach, unless it goes by rings, or somebody says why it must be all. */
export function limitGate({ limits }: Fleet, { stage, clusters }: Route, all: string | undefined): Gate {
  const most = limits?.clustersPerUpdate;
  if (most === undefined) return passes("limit", "none is set");
  if (stage.ring !== undefined) return passes("limit", `${stage.name} is a ring`);
  const count = `${clusters.length} clusters, and limits.clustersPerUpdate is ${most}`;
  return clusters.length <= most
    ? passes("limit", count)
    : stopsUnless(
        all,
        "limit",
        count,
        `Give ${stage.name} rings, or say why all at once: --all --reason TEXT`,
      );
}

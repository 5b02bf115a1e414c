import { type Cluster, fluxNamespace } from "../../fleet/model.ts";
import { windowObject, windowState } from "../../fleet/window/index.ts";
import type { FluxObject } from "../fluxObject.ts";
import type { WindowStatus } from "../model.ts";

/** The windows of a cluster: what the clock says of each, and what its source tells of the openings behind it. */
export function windowsOf(cluster: Cluster, objects: readonly FluxObject[], now: Date): WindowStatus[] {
  return cluster.windows.map((window): WindowStatus => {
    const source = objects.find(
      ({ kind, name, namespace }) =>
        kind === "GitRepository" && name === windowObject(window.name) && namespace === fluxNamespace,
    );
    const written = source?.suspendWrittenAt;
    const writtenAt = written === undefined ? undefined : Date.parse(written);
    const observed = { suspended: source?.suspended ?? true, writtenAt };
    const { open, since, until, missed, leftOpen } = windowState(window, cluster, observed, now.getTime());
    return {
      ...{ name: window.name, timeZone: window.spans[0]?.timeZone ?? "Etc/UTC", open },
      ...(since !== undefined && { since: new Date(since).toISOString() }),
      ...(until !== undefined && { until: new Date(until).toISOString() }),
      ...(writtenAt !== undefined && { missed, leftOpen }),
      ...(cluster.freeze !== undefined && { frozenUntil: cluster.freeze.until }),
    };
  });
}

import { type Cluster, type Window, fluxNamespace } from "../../fleet/model.ts";
import { renderSource } from "../source.ts";
import type { YamlMap } from "../yaml.ts";
import { pulseJob } from "./jobs.ts";

/** Says on a job who asked for it and why. */
export const handAnnotations = { reason: "arcflux.io/reason", by: "arcflux.io/by" } as const;

/** Seconds that a job stays to be read after it is over. */
const kept = 7 * 24 * 60 * 60;

/** A job that fetches once for a window, at whatever time, and says why; it goes by itself a week later. */
export function renderHandJob(
  window: Window,
  cluster: Cluster,
  { isPrivate, reason, by }: { readonly isPrivate: boolean; readonly reason: string; readonly by: string },
): YamlMap {
  const { name } = window.source;
  const spec = pulseJob(window, renderSource(window.source, cluster, isPrivate));
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      generateName: `${name}-by-hand-`,
      namespace: fluxNamespace,
      annotations: { [handAnnotations.reason]: reason, [handAnnotations.by]: by },
    },
    spec: { ...spec, ttlSecondsAfterFinished: kept },
  };
}

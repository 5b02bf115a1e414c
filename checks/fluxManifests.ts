import type { Finding } from "../fleet/finding.ts";
import type { Loaded } from "../fleet/load.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import type { StartedFlux } from "../flux/controller.ts";
import { type FluxManifests, loadManifests, type ManifestsWorld } from "../install/index.ts";
import { showSome } from "../values/show.ts";

/** The manifests of Flux that a fleet installs, and what is wrong with them. */
export interface FleetManifests {
  readonly findings: readonly Finding[];
  /** Undefined where Arcflux installs no Flux, or the manifests are at fault. */
  readonly of: (cluster: Cluster) => FluxManifests | undefined;
}

/** Reads the manifests of Flux that a fleet names, each once however many clusters take them, and compares them with `flux`. */
export async function fluxManifests(
  { clusters }: Pick<Fleet, "clusters">,
  finding: Loaded["finding"],
  fleetFile: string,
  world: ManifestsWorld,
): Promise<FleetManifests> {
  const places = Map.groupBy(
    clusters.filter(({ flux }) => flux.install !== undefined),
    ({ flux }) => JSON.stringify(flux.install),
  );
  const read = new Map<string, FluxManifests>();
  const findings: Finding[] = [];
  for (const [place, those] of places) {
    const found = await loadManifests(those[0]!.flux.install!, fleetFile, world);
    if ("faults" in found) {
      const at = (field: string) => ["clusters", those[0]!.name, "flux", field];
      for (const { field, message } of found.faults) findings.push(finding("error", at(field), message));
      continue;
    }
    read.set(place, found);
    findings.push(...fluxDifferences(found, those, finding));
  }
  return { findings, of: ({ flux }) => flux.install && read.get(JSON.stringify(flux.install)) };
}

/** What the fleet file says of Flux and the manifests do not hold, once for all clusters of which it says that. */
export function fluxDifferences(
  { minor, version, isLockedDown }: StartedFlux,
  clusters: readonly Cluster[],
  finding: Loaded["finding"],
): Finding[] {
  const once = (differ: readonly Cluster[], field: string, message: string): Finding[] =>
    differ.length === 0
      ? []
      : [
          finding(
            "error",
            ["clusters", differ[0]!.name, "flux", field],
            `${message} (on ${showSome(differ.map(({ name }) => name))})`,
          ),
        ];
  return [
    ...once(
      clusters.filter(({ flux }) => flux.version !== minor),
      "version",
      `is not that of the manifests, which are of Flux ${version}; write version: "${minor}", or take manifests of that version`,
    ),
    ...once(
      clusters.filter(({ flux }) => flux.lockdown && !isLockedDown),
      "lockdown",
      "is true, and the manifests start kustomize-controller without --no-cross-namespace-refs=true; add that to them, or write lockdown: false",
    ),
    ...once(
      clusters.filter(({ flux }) => !flux.lockdown && isLockedDown),
      "lockdown",
      "is false, and the manifests start kustomize-controller with --no-cross-namespace-refs=true; write lockdown: true",
    ),
  ];
}

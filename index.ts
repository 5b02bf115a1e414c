import * as pulumi from "@pulumi/pulumi";

import { EdgeCluster } from "./components/edgeCluster.ts";
import { FluxBootstrap } from "./components/fluxBootstrap.ts";
import { FluxFolder } from "./components/fluxFolder.ts";
import { selectFrom } from "./components/selection.ts";
import { readKubeconfig, readRepositoryAccess, readStackSettings } from "./components/stackSettings.ts";
import { formatFinding } from "./fleet/finding.ts";
import { readFleet } from "./fleet/readFleet.ts";
import type { Cluster, Fleet } from "./fleet/model.ts";
import { renderClusterFolder } from "./flux/folder.ts";

const settings = readStackSettings();
const fleet = await loadFleet();
const access = readRepositoryAccess(fleet.repository.access);

/** Per cluster: its Azure id, its folder in the repository, the commit that wrote it, its bootstrap Kustomization. */
export const clusters = Object.fromEntries(
  selectFrom(fleet, settings.selection).map((cluster) => [cluster.name, bringUnderFlux(cluster)]),
);

/** Everything wrong with the fleet file is shown at once, and nothing is registered. */
async function loadFleet(): Promise<Fleet> {
  const { repositoryUrl } = settings;
  const { fleet, findings } = await readFleet(
    settings.fleetFile,
    repositoryUrl === undefined ? {} : { repositoryUrl },
  );
  const lines = findings.map(formatFinding);
  if (fleet === undefined) throw new pulumi.RunError(lines.join("\n"));
  for (const line of lines) void pulumi.log.warn(line);
  return fleet;
}

function bringUnderFlux(cluster: Cluster): object {
  const { name, arc } = cluster;
  const { url, branch, commit } = fleet.repository;
  const options = { protect: settings.protect };

  const folder = new FluxFolder(
    name,
    { repository: url, branch, folder: cluster.folder, files: renderClusterFolder(cluster), author: commit },
    options,
  );
  const flux = new FluxBootstrap(
    name,
    {
      clusterName: name,
      resourceGroupName: arc.resourceGroup,
      configurationName: cluster.config,
      repository: url,
      branch,
      access,
      fluxFolder: cluster.fluxFolder,
      bootstrap: cluster.bootstrap,
      lockdown: cluster.flux.lockdown,
      folder,
      ...(cluster.agents === "install" && { cluster: connectToArc(cluster) }),
    },
    options,
  );
  return { arcId: flux.arcId, folder: folder.folder, commit: folder.commit, bootstrap: flux.bootstrapName };
}

function connectToArc(cluster: Cluster): EdgeCluster {
  const { name, arc, kubeconfig } = cluster;
  return new EdgeCluster(
    name,
    {
      clusterName: name,
      resourceGroupName: arc.resourceGroup,
      location: arc.location,
      tags: arc.tags,
      agentsChart: settings.agentsChart,
      ...(kubeconfig !== undefined && "context" in kubeconfig && { context: kubeconfig.context }),
      ...(kubeconfig !== undefined &&
        "config" in kubeconfig && { kubeconfig: readKubeconfig(kubeconfig.config) }),
    },
    { protect: settings.protect },
  );
}

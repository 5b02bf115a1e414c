import * as pulumi from "@pulumi/pulumi";

import { publicAgentsChart } from "../components/agentsChart.ts";
import { EdgeCluster } from "../components/edgeCluster.ts";
import { FluxBootstrap } from "../components/fluxBootstrap.ts";
import { FluxFolder } from "../components/fluxFolder.ts";
import type { FleetFacts } from "../fleet/facts.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import type { TrialResource } from "../policy/trial.ts";
import { bootstrapArgs, connectArgs, extensionArgs } from "./declaredArgs.ts";
import { folderArgs } from "./folderArgs.ts";
import { renderedFolder } from "./renderedFolder.ts";

const arm = "/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/any/providers";

/**
 * What the program registers for clusters, noted without an engine: nothing is asked and nothing is made. Of credentials there
 * are none, and what only Azure or a key can answer is unknown, as in a first preview.
 */
export async function trialResources(fleet: Fleet, facts: FleetFacts): Promise<TrialResource[]> {
  const noted: TrialResource[] = [];
  for (let from = 0; from < fleet.clusters.length; from += atOnce)
    noted.push(...(await registered(fleet.clusters.slice(from, from + atOnce), fleet)));
  const record = { type: "arcflux:index:Fleet", name: "fleet", inputs: {}, outputs: { facts } };
  const fleetResource = { ...record, urn: urnOf(record.type, record.name), protect: false, waitsFor: [] };
  return [...noted.filter(({ type }) => !type.startsWith("arcflux:index:")), fleetResource];
}

/** Clusters at once: Pulumi keeps megabytes of each until all that is registered is settled. */
const atOnce = 25;

async function registered(clusters: readonly Cluster[], fleet: Fleet): Promise<TrialResource[]> {
  const noted: TrialResource[] = [];
  const requests = new Map<string, Request>();
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => {
        const request = requests.get(urnOf(type, name));
        noted.push({
          ...{ type, name, urn: urnOf(type, name, request?.getParent()), inputs: plain(inputs) },
          protect: request?.getProtect() ?? false,
          waitsFor: request?.getDependenciesList() ?? [],
        });
        const id = type.startsWith("azure-native:")
          ? `${arm}/Microsoft.Kubernetes/connectedClusters/any/extensions/${name}`
          : name;
        return { id, state: inputs as Record<string, unknown> };
      },
      call: () => ({}),
    },
    "arcflux",
    "trial",
    true,
  );
  watch((request) => requests.set(urnOf(request.getType(), request.getName()), request));
  for (const cluster of clusters) register(cluster, fleet);
  await pulumi.runtime.disconnect();
  return noted;
}

/** What mocks do not pass on: a request to register a resource, as the engine gets it. */
interface Request {
  getType(): string;
  getName(): string;
  getParent(): string;
  getProtect(): boolean;
  getDependenciesList(): string[];
}

function watch(see: (request: Request) => void): void {
  const monitor = pulumi.runtime.getMonitor() as unknown as {
    registerResource: (request: Request, ...rest: unknown[]) => unknown;
  };
  const send = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, ...rest) => {
    see(request);
    return send(request, ...rest);
  };
}

function register(cluster: Cluster, fleet: Fleet): void {
  const { name, lifecycle } = cluster;
  const options = { protect: lifecycle === "active" };
  const folder = new FluxFolder(
    name,
    folderArgs(cluster, fleet, renderedFolder(cluster, fleet), undefined),
    options,
  );
  if (cluster.platform !== "arc") return;
  const connected = cluster.agents === "install" && {
    cluster: new EdgeCluster(
      name,
      { ...connectArgs(cluster), agentsChart: publicAgentsChart, kubeconfig: "{}" },
      options,
    ),
  };
  new FluxBootstrap(
    name,
    {
      ...bootstrapArgs(cluster, fleet.repository),
      ...extensionArgs(cluster),
      ...{ access: { kind: "public" }, lifecycle, folder, ...connected },
    },
    options,
  );
}

/** As mocks make them: the type of the parent, of which they keep one, stands before that of a child. */
function urnOf(type: string, name: string, parent = ""): string {
  const above = parent.split("::")[2]?.split("$").at(-1);
  return `urn:pulumi:trial::arcflux::${above === undefined ? "" : `${above}$`}${type}::${name}`;
}

const signature = "4dabf18193072939515e22adb298388d";

/** Inputs with their secrets opened, as Pulumi gives them to a pack. */
function plain(value: unknown): Record<string, unknown> {
  return open(value) as Record<string, unknown>;
}

function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== "object" || value === null) return value;
  if (signature in value) return open((value as unknown as { readonly value: unknown }).value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, open(inner)]));
}

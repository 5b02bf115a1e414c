import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "../../cluster/clusterApi.ts";
import { ClusterApi, refOf } from "../../cluster/clusterApi.ts";
import { fluxExtensionType } from "../extension.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import type { ClusterState, FluxConfiguration } from "./agentApi.ts";
import { AgentApi } from "./agentApi.ts";
import { readAgentsRelease } from "./agentsRelease.ts";
import { complianceOf } from "./compliance.ts";
import { fluxObjects, kustomizationApi, namespaceOf, sourceApi } from "./fluxObjects.ts";

export interface ClusterAgentOptions {
  /** Of the lab's Azure. */
  readonly armUrl: string;
  /** Path. */
  readonly kubeconfig: string;
  readonly context: string;
  /** Gets a line for what the user should know. */
  readonly log: (line: string) => void;
  /** Between two looks. Defaults to 300. */
  readonly intervalMs?: number;
}

/**
 * Does on one cluster what Azure's agents do there, for as long as their Helm release is installed: reports the cluster as
 * connected, makes the Flux objects of each configuration and reports how they fare, and takes them off again. What
 * somebody changes of these objects by hand stays until the configuration changes, as seen with Azure.
 */
export function startClusterAgent(options: ClusterAgentOptions): { stop(): Promise<void> } {
  const { intervalMs = 300, log } = options;
  const agent = new ClusterAgent(options);
  const stopping = new AbortController();
  let said = "";
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await agent.look();
        said = "";
      } catch (error) {
        const line = `The agent of ${options.context}: ${error instanceof Error ? error.message : String(error)}`;
        // The same failure is told once, however often it comes.
        if (line !== said && !stopping.signal.aborted) log(line);
        said = line;
      }
      await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const done = work();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

class ClusterAgent {
  readonly #options: ClusterAgentOptions;
  readonly #api: ClusterApi;
  /** By configuration: the generation that is on the cluster, and what it made. */
  readonly #applied = new Map<
    string,
    { readonly generation: number; readonly objects: KubernetesObject[] }
  >();
  /** By path: the last report, which is not sent twice. */
  readonly #reported = new Map<string, string>();

  constructor(options: ClusterAgentOptions) {
    this.#options = options;
    this.#api = new ClusterApi(options.kubeconfig, options.context);
  }

  async look(): Promise<void> {
    const release = await readAgentsRelease(this.#api);
    if (release === undefined) {
      this.#reported.clear();
      return;
    }
    const azure = new AgentApi(this.#options.armUrl, release.clusterId);
    const state = await azure.state();
    if (state === undefined) throw new Error(`Azure has no connected cluster ${release.clusterId}.`);
    if (release.publicKey !== state.cluster.properties["agentPublicKeyCertificate"]) {
      throw new Error(
        `its private key is not the one of ${release.clusterId}; it stays in state Connecting. The key in the agents' Helm values and the connected cluster's must be of one pair.`,
      );
    }
    const { gitVersion } = await this.#api.request({ path: "/version" });
    const nodes = await this.#api.list("v1", "Node");
    const report = {
      ...{ kubernetesVersion: gitVersion, agentVersion: release.version },
      ...{ totalNodeCount: nodes.length, totalCoreCount: 0 },
    };
    // A cluster that was connected anew has another key.
    await this.#report(azure, "connected", report, release.publicKey);
    await this.#serve(azure, state);
  }

  async #serve(azure: AgentApi, { extensions, fluxConfigurations }: ClusterState): Promise<void> {
    const flux = extensions.find(
      ({ properties }) => String(properties["extensionType"]).toLowerCase() === fluxExtensionType,
    );
    if (flux !== undefined) await this.#report(azure, `extensions/${flux.name}/status`, installed);
    const settings = asObject(flux?.properties["configurationSettings"]);
    const lockdown = settings["multiTenancy.enforce"] !== "false";
    for (const configuration of fluxConfigurations) {
      const path = `fluxConfigurations/${configuration.name}`;
      if (configuration.deleting) {
        if (!(await this.#remove(configuration, lockdown))) continue;
        await azure.post(`${path}/deleted`, {});
        this.#forget(configuration.name);
      } else if (flux === undefined) {
        await this.#report(azure, `${path}/status`, withoutExtension);
      } else {
        await this.#apply(configuration, lockdown);
        await this.#report(azure, `${path}/status`, await this.#compliance(configuration));
      }
    }
  }

  async #apply(configuration: FluxConfiguration, lockdown: boolean): Promise<void> {
    const before = this.#applied.get(configuration.name);
    if (before?.generation === configuration.generation) return;
    const objects = fluxObjects(configuration, { lockdown });
    for (const object of objects) await this.#api.apply(object, "fluxconfig-agent");
    const now = new Set(objects.map((object) => JSON.stringify(refOf(object))));
    for (const object of before?.objects ?? []) {
      if (!now.has(JSON.stringify(refOf(object)))) await this.#api.delete(refOf(object));
    }
    this.#applied.set(configuration.name, { generation: configuration.generation, objects });
  }

  /**
   * Kustomizations first: where they prune, their source must still be there. Namespace and account stay. False while
   * Flux is still at it.
   */
  async #remove(configuration: FluxConfiguration, lockdown: boolean): Promise<boolean> {
    const objects = fluxObjects(configuration, { lockdown });
    const own = objects.filter(({ metadata }) => metadata.labels !== undefined);
    const refs = (kinds: readonly string[]) => own.filter(({ kind }) => kinds.includes(kind)).map(refOf);
    const kustomizations = refs(["Kustomization"]);
    for (const ref of kustomizations) await this.#api.delete(ref);
    const left = await Promise.all(kustomizations.map((ref) => this.#api.read(ref)));
    if (left.some((one) => one !== undefined)) return false;
    for (const ref of refs(["GitRepository", "Secret"])) await this.#api.delete(ref);
    return true;
  }

  async #compliance({ name, properties, generation }: FluxConfiguration): Promise<Json> {
    const namespace = namespaceOf(properties);
    const kinds = [
      [sourceApi, "GitRepository"],
      [kustomizationApi, "Kustomization"],
      ["helm.toolkit.fluxcd.io/v2", "HelmRelease"],
    ] as const;
    const objects = await Promise.all(
      kinds.map(([version, kind]) => this.#api.list(version, kind, { namespace })),
    );
    return { ...complianceOf(name, properties, objects.flat()), observedGeneration: generation };
  }

  /** Sends a report when it says something new. */
  async #report(azure: AgentApi, path: string, report: Json, about = ""): Promise<void> {
    const text = JSON.stringify([report, about]);
    if (this.#reported.get(path) === text) return;
    const stamps = path === "connected" ? {} : { statusUpdatedAt: new Date().toISOString() };
    if (await azure.post(path, { ...report, ...(path.startsWith("flux") && stamps) }))
      this.#reported.set(path, text);
  }

  #forget(name: string): void {
    this.#applied.delete(name);
    this.#reported.delete(`fluxConfigurations/${name}/status`);
  }
}

const installed: Json = {
  statuses: [
    {
      code: "InstallationSucceeded",
      displayStatus: "Installed",
      level: "Information",
      message: "Installed",
      time: null,
    },
  ],
};

const withoutExtension: Json = {
  complianceState: "Non-Compliant",
  statuses: [],
  errorMessage: `The extension ${fluxExtensionType} is not installed on the cluster, so nothing of this configuration is applied. Create it first.`,
  sourceSyncedCommitId: null,
};

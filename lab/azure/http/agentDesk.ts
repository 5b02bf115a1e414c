import type { Arm } from "../arm.ts";
import { ArmError } from "../armError.ts";
import type { ArmId } from "../armId.ts";
import { armTypes, clusterOf, formatArmId } from "../armId.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";

interface Live {
  /** Grows with each write, so that an agent knows what is new. */
  generation: number;
  /** Base64 by name, as they were given. In memory alone: they are in no file and no answer of ARM. */
  protectedSettings?: Json;
  /** Ends the delete that waits for the agent. */
  deleted?: () => void;
}

/** Where the agents of clusters fetch what they are to do, and report. In Azure it is a service of its own. */
export class AgentDesk {
  readonly #arm: Arm;
  readonly #live = new Map<string, Live>();
  /** Clusters whose agent has reported since this process started. */
  readonly #reporting = new Set<string>();

  constructor(arm: Arm) {
    this.#arm = arm;
  }

  /** Notes a write of a Flux configuration. Without protected settings those of the last write stay. */
  written(id: ArmId, protectedSettings: unknown): void {
    const live = this.#of(id);
    live.generation += 1;
    if (protectedSettings !== undefined && protectedSettings !== null) {
      live.protectedSettings = asObject(protectedSettings);
    }
  }

  /** Those of the last write, while this process lives. */
  protectedSettings(id: ArmId): Json | undefined {
    return this.#live.get(keyOf(id))?.protectedSettings;
  }

  /** Resolves when the agent has taken the configuration off the cluster; at once where no agent reports. */
  async removed(id: ArmId): Promise<void> {
    const live = this.#of(id);
    if (this.#reporting.has(keyOf(clusterOf(id)))) {
      live.generation += 1;
      await new Promise<void>((resolve) => (live.deleted = resolve));
    }
    this.#live.delete(keyOf(id));
  }

  /** What the agent of a cluster asks for. */
  state(cluster: ArmId): Json {
    const resource = this.#cluster(cluster);
    const configurations = this.#arm.children(cluster, armTypes.fluxConfiguration).map((one) => {
      const id = childOf(cluster, armTypes.fluxConfiguration, String(one["name"]));
      const { generation, protectedSettings, deleted } = this.#of(id);
      return {
        ...{ name: id.name, id: formatArmId(id), generation, deleting: deleted !== undefined },
        properties: one["properties"],
        ...(protectedSettings && { protectedSettings }),
      };
    });
    return {
      cluster: { id: formatArmId(cluster), properties: resource["properties"] },
      extensions: this.#arm
        .children(cluster, armTypes.extension)
        .map(({ name, properties }) => ({ name, properties })),
      fluxConfigurations: configurations,
    };
  }

  /** The agent has come up, and is who the cluster's key says. */
  connected(cluster: ArmId, reported: Json): void {
    this.#cluster(cluster);
    this.#reporting.add(keyOf(cluster));
    const { kubernetesVersion, agentVersion, totalNodeCount, totalCoreCount } = reported;
    this.#arm.report(cluster, {
      ...{ kubernetesVersion, agentVersion, totalNodeCount, totalCoreCount },
      connectivityStatus: "Connected",
      lastConnectivityTime: new Date().toISOString(),
    });
  }

  /** The status of an extension or a configuration, field by field. */
  reported(id: ArmId, status: Json): void {
    if (!this.#arm.report(id, status)) throw notThere(id);
  }

  /** The configuration is off the cluster. */
  deleted(id: ArmId): void {
    this.#of(id).deleted?.();
  }

  #of(id: ArmId): Live {
    const key = keyOf(id);
    const live = this.#live.get(key) ?? { generation: 1 };
    this.#live.set(key, live);
    return live;
  }

  #cluster(cluster: ArmId): Json {
    const resource = this.#arm.get(cluster);
    if (resource === undefined) throw notThere(cluster);
    return resource;
  }
}

export function childOf(cluster: ArmId, type: ArmId["type"], name: string): ArmId {
  return { type, resourceGroup: cluster.resourceGroup, cluster: cluster.name, name };
}

function notThere(id: ArmId): ArmError {
  return new ArmError(404, "ResourceNotFound", `The Resource '${formatArmId(id)}' was not found.`);
}

function keyOf(id: ArmId): string {
  return formatArmId(id).toLowerCase();
}

import { ArmError, FaultList } from "./armError.ts";
import type { ArmId, ArmType } from "./armId.ts";
import { armTypes, clusterOf, formatArmId } from "./armId.ts";
import { ArmStore } from "./armStore.ts";
import { putConnectedCluster } from "./connectedCluster.ts";
import { fluxExtensionType, putExtension } from "./extension.ts";
import { putFluxConfiguration } from "./fluxConfiguration.ts";
import type { Json } from "./json.ts";
import { asObject } from "./json.ts";
import { registeredCluster } from "./registerConnectedCluster.ts";
import { checkResourceGroupName, putResourceGroup } from "./resourceGroup.ts";

/** Full type names, as Azure returns them in `type`. */
const fullTypes: Readonly<Record<ArmType, string>> = {
  resourceGroups: "Microsoft.Resources/resourceGroups",
  connectedClusters: "Microsoft.Kubernetes/connectedClusters",
  extensions: "Microsoft.KubernetesConfiguration/extensions",
  fluxConfigurations: "Microsoft.KubernetesConfiguration/fluxConfigurations",
};

export interface ArmOptions {
  /** Folder for the resources, one file each. */
  readonly root: string;
  /** Take any cluster that is named for one that was connected before. */
  readonly assumeClusters?: boolean;
}

/**
 * Azure Resource Manager as far as the lab needs it: PUT, GET and DELETE of four types with Azure's refusals, over
 * files. Every method is synchronous, so that two requests never see each other half done.
 */
export class Arm {
  readonly #store: ArmStore;
  readonly #assumeClusters: boolean;

  constructor(options: ArmOptions) {
    this.#store = new ArmStore(options.root);
    this.#assumeClusters = options.assumeClusters ?? false;
  }

  /** The resource as Azure returns it, or undefined when there is none. */
  get(id: ArmId): Json | undefined {
    return safeToRead(id) ? this.#store.read(id) : undefined;
  }

  /** Creates or replaces a resource. Throws an ArmError that names every fault of the request. */
  put(id: ArmId, body: Json): Json {
    const faults = new FaultList();
    checkResourceGroupName(faults, id.resourceGroup);
    faults.throwIfAny();
    const old = this.get(id);
    const resource = this.#accept(id, body, old);
    this.#refuseMove(id, resource, old);
    const complete = {
      id: formatArmId(id),
      name: id.name,
      type: fullTypes[id.type],
      ...resource,
      systemData: stamps(asObject(old?.["systemData"])),
    };
    this.#store.write(id, complete);
    return complete;
  }

  /** Deletes a resource; false when there was none. Throws an ArmError when something still needs it. */
  delete(id: ArmId): boolean {
    if (this.get(id) === undefined) return false;
    this.checkDelete(id);
    this.#store.remove(id);
    return true;
  }

  /** Azure would let go of children without a word, and leave Flux behind on the cluster; the lab refuses. */
  checkDelete(id: ArmId): void {
    this.#refuseOrphans(id);
  }

  /** Merges what an agent reports into the properties of a resource; false when there is none. */
  report(id: ArmId, reported: Json): boolean {
    const resource = this.get(id);
    if (resource === undefined) return false;
    const properties = { ...asObject(resource["properties"]), ...reported };
    this.#store.write(id, { ...resource, properties });
    return true;
  }

  /** The extensions or configurations of a cluster, by name. */
  children(cluster: ArmId, type: "extensions" | "fluxConfigurations"): Json[] {
    return safeToRead(cluster) ? this.#store.children(cluster, type) : [];
  }

  /** The connected clusters, of one resource group or of all. */
  clusters(resourceGroup?: string): Json[] {
    return this.#store.clusters(resourceGroup);
  }

  /** The resource groups that were made or hold something. */
  groups(): Json[] {
    return this.#store.groups();
  }

  #accept(id: ArmId, body: Json, old: Json | undefined): Json {
    switch (id.type) {
      case armTypes.resourceGroup:
        return putResourceGroup(id, body);
      case armTypes.connectedCluster:
        return putConnectedCluster(id, body, old);
      case armTypes.extension:
        this.#requireCluster(id);
        return putExtension(id, body);
      case armTypes.fluxConfiguration:
        this.#requireCluster(id);
        return this.#acceptConfiguration(id, body, old);
    }
  }

  #acceptConfiguration(id: ArmId, body: Json, old: Json | undefined): Json {
    // What is wrong with the body comes first, as it does at Azure: the extension is looked at by the service behind.
    const resource = putFluxConfiguration(id, body, old);
    const flux = this.#store
      .children(clusterOf(id), "extensions")
      .map((extension) => asObject(extension["properties"]))
      .find((properties) => String(properties["extensionType"]).toLowerCase() === fluxExtensionType);
    if (flux?.["provisioningState"] === "Succeeded") return resource;
    const state =
      flux === undefined ? "is not installed" : `is in state ${String(flux["provisioningState"])}`;
    throw new ArmError(
      400,
      "ExtensionNotReady",
      `The extension ${fluxExtensionType} ${state} on cluster '${id.cluster}'. Create it and wait until it has succeeded before the Flux configuration '${id.name}'.`,
    );
  }

  #requireCluster(id: ArmId): void {
    const cluster = clusterOf(id);
    if (this.get(cluster) !== undefined) return;
    if (this.#assumeClusters && safeToRead(cluster)) {
      this.#store.write(cluster, registeredCluster(cluster.resourceGroup, cluster.name));
      return;
    }
    throw new ArmError(
      404,
      "ParentResourceNotFound",
      `Failed to perform 'write' on resource(s) of type '${id.type}', because the parent resource '${formatArmId(cluster)}' could not be found.`,
    );
  }

  #refuseMove(id: ArmId, resource: Json, old: Json | undefined): void {
    const before = old?.["location"];
    if (typeof before !== "string" || before === resource["location"]) return;
    throw new ArmError(
      409,
      "InvalidResourceLocation",
      `The resource '${id.name}' already exists in location '${before}' in resource group '${id.resourceGroup}'. A resource with the same name cannot be created in location '${String(resource["location"])}'.`,
    );
  }

  #refuseOrphans(id: ArmId): void {
    if (id.type === armTypes.resourceGroup || id.type === armTypes.fluxConfiguration) return;
    const cluster = clusterOf(id);
    const configurations = names(this.#store.children(cluster, "fluxConfigurations"));
    const extensions =
      id.type === armTypes.connectedCluster ? names(this.#store.children(cluster, "extensions")) : [];
    const isFlux = id.type === armTypes.connectedCluster || this.#isFlux(id);
    const left = [...(isFlux ? configurations : []), ...extensions];
    if (left.length === 0) return;
    throw new ArmError(
      409,
      "CannotDeleteResource",
      `The resource '${formatArmId(id)}' cannot be deleted before ${left.join(", ")}: Flux configurations first, then extensions, then the cluster.`,
    );
  }

  #isFlux(id: ArmId): boolean {
    const properties = asObject(this.get(id)?.["properties"]);
    return String(properties["extensionType"]).toLowerCase() === fluxExtensionType;
  }
}

/** Whether the names can be parts of a path; others belong to no resource that could have been made. */
function safeToRead(id: ArmId): boolean {
  return [id.resourceGroup, id.cluster ?? "x", id.name].every((name) => /^[-\w.()]*[-\w()]$/.test(name));
}

function names(resources: readonly Json[]): string[] {
  return resources.map(
    (resource) => `${String(resource["type"]).split("/").at(-1)}/${String(resource["name"])}`,
  );
}

function stamps(old: Json): Json {
  const now = new Date().toISOString();
  return {
    createdBy: old["createdBy"] ?? "lab",
    createdByType: "Application",
    createdAt: old["createdAt"] ?? now,
    lastModifiedBy: "lab",
    lastModifiedByType: "Application",
    lastModifiedAt: now,
  };
}

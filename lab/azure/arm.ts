import { ArmError, FaultList } from "./armError.ts";
import type { ArmId, ArmType } from "./armId.ts";
import { armTypes, clusterOf, formatArmId, parseArmId } from "./armId.ts";
import { ArmStore } from "./armStore.ts";
import { putConnectedCluster } from "./connectedCluster.ts";
import { fluxExtensionType, putExtension } from "./extension.ts";
import { putFluxConfiguration } from "./fluxConfiguration.ts";
import type { Json } from "./json.ts";
import { asObject, without } from "./json.ts";
import { patchedBody } from "./patchedBody.ts";
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

/** What the lab keeps beside a resource, and Azure does not show. */
export interface ArmNote {
  /** Id of the last PUT or PATCH; what the agent makes on the cluster carries it. */
  readonly operationId?: string;
  /** Names of the protected settings of the last PUT. Their values are never written down. */
  readonly protectedKeys?: readonly string[];
}

/**
 * Azure Resource Manager as far as the lab needs it: PUT, PATCH, GET, list and DELETE of four types with Azure's
 * refusals, over files. Every method is synchronous, so that two requests never see each other half done; operations
 * that take their time are made of them in `http/`.
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
    const stored = this.#read(id) ?? this.#assumed(id);
    return stored && this.#present(id, stored);
  }

  /** What the lab keeps beside the resource. */
  note(id: ArmId): ArmNote {
    return this.#read(id)?.["lab"] ?? {};
  }

  /** Whether anything is there under the id. */
  has(id: ArmId): boolean {
    return this.#read(id) !== undefined;
  }

  /** The extensions or configurations of a cluster, by name. */
  children(cluster: ArmId, type: "extensions" | "fluxConfigurations"): ArmId[] {
    if (!safeToRead(cluster)) return [];
    return this.#store
      .children(cluster, type)
      .map((resource) => ({ ...cluster, type, name: String(resource["name"]) }));
  }

  /** The resource groups by name. */
  groups(): ArmId[] {
    return this.#store.groups().map((name) => ({ type: armTypes.resourceGroup, resourceGroup: name, name }));
  }

  /** The connected clusters of one resource group, or of all, by group and name. */
  clusters(resourceGroup?: string): ArmId[] {
    return this.#store.clusters(resourceGroup).map((stored) => parseArmId(String(stored["id"])));
  }

  /** Creates or replaces a resource. Throws an ArmError that names every fault of the request. */
  put(id: ArmId, body: Json, operationId?: string): Json {
    const faults = new FaultList();
    checkResourceGroupName(faults, id.resourceGroup);
    faults.throwIfAny();
    const old = this.#read(id);
    const resource = this.#accept(id, body, old);
    this.#refuseMove(id, resource, old);
    const protectedKeys = Object.keys(
      asObject(asObject(body["properties"])["configurationProtectedSettings"]),
    );
    const note: ArmNote = {
      ...(operationId !== undefined && { operationId }),
      ...(protectedKeys.length > 0 && { protectedKeys }),
    };
    const complete = {
      id: formatArmId(id),
      name: id.name,
      type: fullTypes[id.type],
      ...resource,
      systemData: stamps(asObject(old?.["systemData"])),
      ...(Object.keys(note).length > 0 && { lab: note }),
    };
    this.#store.write(id, complete);
    return this.#present(id, complete);
  }

  /**
   * Changes those fields of a resource that a PATCH may name, and leaves the others. `secrets` are the protected settings
   * that are known of it. Throws an ArmError as `put` does, and when there is no such resource.
   */
  patch(id: ArmId, body: Json, secrets: Json | undefined, operationId?: string): Json {
    const old = this.#read(id);
    if (old === undefined) throw notFound(id);
    const kept = this.note(id).protectedKeys ?? [];
    // Those that are lost were checked when they came; the check wants to see some.
    const known = secrets ?? Object.fromEntries(kept.map((key) => [key, lostSecret]));
    return this.put(id, patchedBody(id, old, known, body), operationId);
  }

  /** Takes in what the agents found out. Does nothing when the resource is gone. */
  report(id: ArmId, properties: Json): void {
    const stored = this.#read(id);
    if (stored === undefined) return;
    this.#store.write(id, { ...stored, properties: { ...asObject(stored["properties"]), ...properties } });
  }

  /** Deletes a resource; false when there was none. Throws an ArmError when something still needs it. */
  delete(id: ArmId): boolean {
    if (!this.has(id)) return false;
    this.refuseOrphans(id);
    this.remove(id);
    return true;
  }

  /** Removes a resource with everything below it, asking nothing. */
  remove(id: ArmId): void {
    if (safeToRead(id)) this.#store.remove(id);
  }

  /** The Flux extension of a cluster: its state, or undefined when there is none. */
  fluxExtension(cluster: ArmId): Json | undefined {
    if (!safeToRead(cluster)) return undefined;
    return this.#store
      .children(cluster, "extensions")
      .find((one) => isFluxType(asObject(one["properties"])["extensionType"]));
  }

  #read(id: ArmId): Json | undefined {
    return safeToRead(id) ? this.#store.read(id) : undefined;
  }

  /** Without what the lab notes for itself, and with what Azure knows without asking the cluster. */
  #present(id: ArmId, stored: Json): Json {
    const shown = without(stored, "lab");
    if (id.type !== armTypes.fluxConfiguration) return shown;
    const missing = this.#extensionFault(clusterOf(id));
    if (missing === undefined) return shown;
    const properties = { ...asObject(shown["properties"]), complianceState: "Non-Compliant" };
    return { ...shown, properties: { ...properties, errorMessage: missing, statuses: [] } };
  }

  /** Why a configuration of this cluster installs nothing, as far as the extension goes. */
  #extensionFault(cluster: ArmId): string | undefined {
    const extension = this.fluxExtension(cluster);
    const state = asObject(extension?.["properties"])["provisioningState"];
    if (state === "Succeeded") return undefined;
    const what = extension === undefined ? "is not installed" : `is in state ${String(state)}`;
    return `The extension ${fluxExtensionType} ${what} on cluster '${cluster.name}', so nothing of this configuration is on the cluster. Install the extension; the configuration follows by itself.`;
  }

  /** Where any cluster counts as connected, it is so before the first request that needs it. */
  #assumed(id: ArmId): Json | undefined {
    if (!this.#assumeClusters || id.type !== armTypes.connectedCluster || !safeToRead(id)) return undefined;
    return registeredCluster(id.resourceGroup, id.name);
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
        return putFluxConfiguration(id, body, old);
    }
  }

  #requireCluster(id: ArmId): void {
    const cluster = clusterOf(id);
    if (this.has(cluster)) return;
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

  /** Throws an ArmError when something is left below the resource. Azure would let go of children without a word, and leave Flux behind on the cluster; the lab refuses. */
  refuseOrphans(id: ArmId): void {
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
    return isFluxType(asObject(this.#read(id)?.["properties"])["extensionType"]);
  }
}

/** What stands for a protected setting whose value is not known any more: base64, as all of them are. */
const lostSecret = "bG9zdA==";

function isFluxType(value: unknown): boolean {
  return typeof value === "string" && value.toLowerCase() === fluxExtensionType;
}

/** Azure's answer when there is no such resource. */
export function notFound(id: ArmId): ArmError {
  const what = `${fullTypes[id.type]}/${id.name}`;
  return id.type === armTypes.resourceGroup
    ? new ArmError(404, "ResourceGroupNotFound", `Resource group '${id.name}' could not be found.`)
    : new ArmError(
        404,
        "ResourceNotFound",
        `The Resource '${what}' under resource group '${id.resourceGroup}' was not found.`,
      );
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

import { ApiError } from "../../cluster/apiRequest.ts";
import type { ClusterApi, KubernetesObject } from "../../cluster/clusterApi.ts";
import { refOf } from "../../cluster/clusterApi.ts";
import { fluxExtensionType } from "../extension.ts";
import type { AgentConfiguration, AgentExtension, AgentReport, AgentWork } from "../http/agentProtocol.ts";
import { asObject } from "../json.ts";
import { applierObjects, removeAppliers } from "./applierAccount.ts";
import { configurationStatus } from "./configurationStatus.ts";
import { isGoing, listFluxObjects } from "./fluxObjects.ts";
import {
  nameLabel,
  namespaceOf,
  needsSecret,
  operationLabel,
  renderConfiguration,
  secretName,
} from "./renderConfiguration.ts";

export interface ReconcilerOptions {
  readonly api: ClusterApi;
  /** Tells Azure. */
  readonly report: (report: AgentReport) => Promise<void>;
  readonly log: (line: string) => void;
}

const fieldManager = "fluxconfig-agent";

/**
 * Brings a cluster to what Azure wants on it, a bit further with each call, and tells Azure what it found. What was made
 * for one operation is not put back when somebody edits it: only another operation does that.
 */
export class ClusterReconciler {
  readonly #api: ClusterApi;
  readonly #options: ReconcilerOptions;
  /** Operation by configuration: what was made for which, in the life of this process. */
  readonly #applied = new Map<string, string>();
  /** What was told last, by configuration. */
  readonly #told = new Map<string, string>();
  readonly #installed = new Set<string>();

  constructor(options: ReconcilerOptions) {
    this.#api = options.api;
    this.#options = options;
  }

  /** Gives whether something is still under way that should be looked at soon. */
  async reconcile(work: AgentWork): Promise<boolean> {
    const objects =
      work.extensions.length + work.configurations.length === 0 ? [] : await listFluxObjects(this.#api);
    for (const extension of work.extensions) await this.#extension(extension, objects);
    const flux = work.extensions.find(isFlux);
    const settings = asObject(flux?.properties["configurationSettings"]);
    const lockdown = settings["multiTenancy.enforce"] !== "false";
    for (const one of work.configurations) await this.#configuration(one, { flux, lockdown }, objects);
    return [...work.extensions, ...work.configurations].some(({ operation }) => operation !== undefined);
  }

  async #extension(extension: AgentExtension, objects: readonly KubernetesObject[]): Promise<void> {
    const { name, operation, properties } = extension;
    const end = (message: string): Promise<void> =>
      this.#options.report({
        type: "extensions",
        name,
        ...(operation && { ends: operation.id }),
        properties: { statuses: [installed(message)] },
      });
    if (operation?.kind === "Deleting") {
      // Flux prunes as flux-applier: without it what is being pruned would stay.
      if (isFlux(extension) && objects.some(isGoing)) return;
      if (isFlux(extension)) await removeAppliers(this.#api);
      await this.#options.report({ type: "extensions", name, ends: operation.id });
      this.#installed.delete(name);
      return;
    }
    if (operation === undefined && this.#installed.has(name)) return;
    if (isFlux(extension)) await this.#apply(namespace("flux-system"));
    const version = String(properties["currentVersion"]);
    await end(
      isFlux(extension)
        ? `microsoft.flux ${version}: the controllers are those that run on the cluster.`
        : `${String(properties["extensionType"])}: the lab installs nothing of it.`,
    );
    this.#installed.add(name);
    this.#options.log(`extension ${name}: installed`);
  }

  async #configuration(
    one: AgentConfiguration,
    { flux, lockdown }: { flux: AgentExtension | undefined; lockdown: boolean },
    objects: readonly KubernetesObject[],
  ): Promise<void> {
    const { operation } = one;
    if (operation?.kind === "Deleting") return this.#remove(one, objects);
    const ready = flux !== undefined && flux.properties["provisioningState"] === "Succeeded";
    if (!ready) {
      // Azure says itself why nothing of it is there.
      if (operation) await this.#tell(one, { ends: operation.id });
      return;
    }
    const isApplied = this.#applied.get(one.name) ?? operationOnCluster(one, objects);
    if (isApplied !== one.operationId) {
      const error = await this.#install(one, lockdown, objects);
      if (error !== undefined) {
        const properties = { complianceState: "Non-Compliant", errorMessage: error, statuses: [] };
        await this.#tell(one, { properties, ...(operation && { ends: operation.id, error }) });
        return;
      }
      this.#options.log(`configuration ${one.name}: applied`);
    }
    this.#applied.set(one.name, one.operationId);
    if (operation) await this.#tell(one, { ends: operation.id });
    const now = isApplied === one.operationId ? objects : await listFluxObjects(this.#api);
    await this.#tell(one, { properties: configurationStatus(one, now) });
  }

  /** Makes or changes what a configuration has on the cluster; gives why it cannot be made, when it cannot. */
  async #install(
    one: AgentConfiguration,
    lockdown: boolean,
    objects: readonly KubernetesObject[],
  ): Promise<string | undefined> {
    if (one.properties["sourceKind"] !== "GitRepository") {
      return `The lab's agents know GitRepository only, not ${String(one.properties["sourceKind"])}.`;
    }
    const { repository, kustomizations, secret } = renderConfiguration(one, { lockdown });
    if (needsSecret(one) && secret === undefined && !(await this.#hasSecret(one))) {
      return `The protected settings of '${one.name}' were kept in memory and ended with the lab that got them. Send the configuration again, with ${one.protectedKeys.join(" and ")}.`;
    }
    const wanted = [
      namespace(namespaceOf(one)),
      ...(lockdown ? applierObjects(namespaceOf(one), one.properties["scope"]) : []),
      ...(secret === undefined ? [] : [secret]),
      repository,
      ...kustomizations,
    ];
    try {
      for (const object of wanted) await this.#apply(object);
    } catch (error) {
      // A refusal stays one; anything else may pass.
      if (error instanceof ApiError && error.status < 500) return error.message;
      throw error;
    }
    const names = new Set(kustomizations.map(({ metadata }) => metadata.name));
    for (const old of ownKustomizations(one, objects)) {
      if (!names.has(old.metadata.name)) await this.#api.delete(refOf(old));
    }
    if (!needsSecret(one)) await this.#api.delete(secretRef(one));
    return undefined;
  }

  /** The Kustomizations go first: while they go they prune, and for that everything else must still be there. */
  async #remove(one: AgentConfiguration, objects: readonly KubernetesObject[]): Promise<void> {
    const own = ownKustomizations(one, objects);
    await Promise.all(
      own.filter((object) => !isGoing(object)).map((object) => this.#api.delete(refOf(object))),
    );
    if (own.length > 0) return;
    const repository = objects.find(
      ({ kind, metadata }) =>
        kind === "GitRepository" && metadata.name === one.name && metadata.namespace === namespaceOf(one),
    );
    if (repository?.metadata.labels?.[nameLabel] === one.name) {
      if (repository.metadata["deletionTimestamp"] === undefined) await this.#api.delete(refOf(repository));
      return;
    }
    await this.#api.delete(secretRef(one));
    this.#applied.delete(one.name);
    this.#told.delete(one.name);
    if (one.operation) {
      await this.#options.report({ type: "fluxConfigurations", name: one.name, ends: one.operation.id });
    }
    this.#options.log(`configuration ${one.name}: removed`);
  }

  async #hasSecret(one: AgentConfiguration): Promise<boolean> {
    return (await this.#api.read(secretRef(one))) !== undefined;
  }

  async #apply(object: KubernetesObject): Promise<void> {
    await this.#api.apply(object, fieldManager);
  }

  /** Tells what is new; the time of it is no news. */
  async #tell(
    { name, operationId }: AgentConfiguration,
    what: Pick<AgentReport, "properties" | "ends" | "error">,
  ): Promise<void> {
    const text = JSON.stringify([operationId, what.properties]);
    const isNews = what.properties !== undefined && this.#told.get(name) !== text;
    if (!isNews && what.ends === undefined) return;
    await this.#options.report({
      ...{ type: "fluxConfigurations", name, operationId },
      ...(what.ends !== undefined && { ends: what.ends }),
      ...(what.error !== undefined && { error: what.error }),
      ...(isNews && { properties: { ...what.properties, statusUpdatedAt: new Date().toISOString() } }),
    });
    if (isNews) this.#told.set(name, text);
  }
}

function isFlux({ properties }: AgentExtension): boolean {
  return String(properties["extensionType"]).toLowerCase() === fluxExtensionType;
}

function ownKustomizations(
  one: AgentConfiguration,
  objects: readonly KubernetesObject[],
): readonly KubernetesObject[] {
  return objects.filter(
    ({ kind, metadata }) =>
      kind === "Kustomization" &&
      metadata.namespace === namespaceOf(one) &&
      metadata.labels?.[nameLabel] === one.name,
  );
}

function operationOnCluster(
  one: AgentConfiguration,
  objects: readonly KubernetesObject[],
): string | undefined {
  const repository = objects.find(
    ({ kind, metadata }) =>
      kind === "GitRepository" && metadata.name === one.name && metadata.namespace === namespaceOf(one),
  );
  return repository?.metadata.labels?.[operationLabel];
}

function secretRef(one: AgentConfiguration) {
  return { apiVersion: "v1", kind: "Secret", namespace: namespaceOf(one), name: secretName(one.name) };
}

function namespace(name: string): KubernetesObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

function installed(message: string) {
  return {
    code: "InstallationSucceeded",
    displayStatus: "Succeeded",
    level: "Information",
    message,
    time: new Date().toISOString(),
  };
}

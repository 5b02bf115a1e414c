import path from "node:path";
import { z } from "zod";
import { readJson } from "../atomicFile.ts";
import { ArmError } from "./armError.ts";
import type { ArmId, ArmType } from "./armId.ts";
import { formatArmId, subscriptionId, tenantId } from "./armId.ts";

/** What `DIR/subscription.json` may say of the lab's subscription. Everything is allowed where it is not there. */
const rules = z.strictObject({
  /** Namespaces of resource providers that nobody registered. */
  unregistered: z.array(z.string()).default([]),
  /** Actions that the caller's roles permit, with * in them. */
  actions: z.array(z.string()).default(["*"]),
  /** Resource groups that are not there; all others are. */
  withoutGroups: z.array(z.string()).default([]),
  state: z.string().default("Enabled"),
});
type Rules = z.output<typeof rules>;

/** Regions that the lab offers Azure Arc in: a few of the real ones. */
const regions = ["West Europe", "North Europe", "East US", "UK South", "Southeast Asia"];

/** Namespace and name of each type, as roles and registrations call them. */
const typeNames: Readonly<Record<ArmType, readonly [namespace: string, type: string]>> = {
  resourceGroups: ["Microsoft.Resources", "subscriptions/resourceGroups"],
  connectedClusters: ["Microsoft.Kubernetes", "connectedClusters"],
  extensions: ["Microsoft.KubernetesConfiguration", "extensions"],
  fluxConfigurations: ["Microsoft.KubernetesConfiguration", "fluxConfigurations"],
};

/** The subscription of a lab: who may do what in it, and what is registered. Read anew at each request. */
export class Subscription {
  readonly #file: string;

  constructor(dir: string) {
    this.#file = path.join(dir, "subscription.json");
  }

  /** Answers questions about the subscription itself; undefined for any other path. */
  answer(requested: string): object | undefined {
    const [, id, rest = ""] =
      /^\/subscriptions(?:\/([^/]+)(\/providers\/.*|\/resourceGroups\/.*)?)?$/i.exec(requested) ?? [];
    if (/^\/subscriptions\/?$/i.test(requested)) return { value: [this.#self()] };
    if (id === undefined) return undefined;
    const [, group] =
      /^\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Authorization\/permissions$/i.exec(rest) ?? [];
    const [, provider] = /^\/providers\/([^/]+)$/i.exec(rest) ?? [];
    if (rest !== "" && group === undefined && provider === undefined) return undefined;
    if (id.toLowerCase() !== subscriptionId)
      throw new ArmError(404, "SubscriptionNotFound", `The subscription '${id}' could not be found.`);
    if (group !== undefined) return this.#permissions(group);
    return provider === undefined ? this.#self() : this.#provider(provider);
  }

  /** Throws an ArmError for what the subscription does not let happen to a resource. */
  refuse(id: ArmId, method: string): void {
    const { unregistered, actions, withoutGroups } = this.#rules();
    const [namespace, type] = typeNames[id.type];
    const verb = method === "GET" ? "read" : method === "DELETE" ? "delete" : "write";
    const action = `${namespace}/${type}/${verb}`;
    if (!actions.some((pattern) => permits(pattern, action)))
      throw new ArmError(
        403,
        "AuthorizationFailed",
        `The client 'lab' does not have authorization to perform action '${action}' over scope '${formatArmId(id)}'.`,
      );
    if (verb !== "write") return;
    if (withoutGroups.includes(id.resourceGroup))
      throw new ArmError(
        404,
        "ResourceGroupNotFound",
        `Resource group '${id.resourceGroup}' could not be found.`,
      );
    if (unregistered.includes(namespace))
      throw new ArmError(
        409,
        "MissingSubscriptionRegistration",
        `The subscription is not registered to use namespace '${namespace}'.`,
      );
  }

  #self(): object {
    const { state } = this.#rules();
    return {
      id: `/subscriptions/${subscriptionId}`,
      ...{ subscriptionId, tenantId, displayName: "Lab", state },
    };
  }

  #permissions(group: string): object {
    const { actions, withoutGroups } = this.#rules();
    if (withoutGroups.includes(group))
      throw new ArmError(404, "ResourceGroupNotFound", `Resource group '${group}' could not be found.`);
    return { value: [{ actions, notActions: [], dataActions: [], notDataActions: [] }] };
  }

  #provider(namespace: string): object {
    const { unregistered } = this.#rules();
    return {
      id: `/subscriptions/${subscriptionId}/providers/${namespace}`,
      namespace,
      registrationState: unregistered.includes(namespace) ? "NotRegistered" : "Registered",
      resourceTypes: Object.values(typeNames)
        .filter(([name]) => name.toLowerCase() === namespace.toLowerCase())
        .map(([, resourceType]) => ({ resourceType, locations: regions })),
    };
  }

  #rules(): Rules {
    return rules.parse(readJson(this.#file) ?? {});
  }
}

function permits(pattern: string, action: string): boolean {
  const escaped = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`, "i").test(action);
}

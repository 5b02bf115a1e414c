import type { FaultInjector, Operation as FaultOperation } from "../../faults.ts";
import { notFound } from "../arm.ts";
import { ArmError } from "../armError.ts";
import type { ArmId } from "../armId.ts";
import { armTypes, formatArmId, subscriptionId } from "../armId.ts";
import { answerGraph, graphPath } from "../graph/resourceGraph.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import type { Subscription } from "../subscription.ts";
import { apiVersionOf, inVersion, newestVersion } from "./apiVersions.ts";
import type { ArmService } from "./armService.ts";
import type { Operation } from "./operations.ts";
import { page } from "./page.ts";
import type { Reply } from "./reply.ts";
import { errorBody, errorReply } from "./reply.ts";
import type { Route } from "./route.ts";
import { parseRoute } from "./route.ts";

/** A request to ARM, past its head. */
export interface ArmRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
  /** What the caller calls the resource, for rules of `faults.json`: its name in a Pulumi program. */
  readonly callerName?: string | undefined;
  /** A look aside that no fault is meant for. */
  readonly undisturbed: boolean;
}

export interface ArmRequestsOptions {
  readonly service: ArmService;
  readonly faults: FaultInjector;
  readonly subscription: Subscription;
  /** Of the emulator. */
  readonly url: () => string;
  readonly pageSize: number;
}

/** How long the answer to a question about an operation is held back, in case that it ends meanwhile. */
const holdMs = 1000;

/** Types as rules of `faults.json` name them. */
const faultTypes = {
  resourceGroups: "azure-native:resources:ResourceGroup",
  connectedClusters: "azure-native:kubernetes:ConnectedCluster",
  extensions: "azure-native:kubernetesconfiguration:Extension",
  fluxConfigurations: "azure-native:kubernetesconfiguration:FluxConfiguration",
} as const;

/** Type of questions to Resource Graph in rules of `faults.json`; the name tells the `first` page and `later` ones apart. */
const graphFaults = "Microsoft.ResourceGraph/resources";

/** Answers the requests to ARM. Throws an ArmError to refuse one. */
export class ArmRequests {
  readonly #service: ArmService;
  readonly #options: ArmRequestsOptions;

  constructor(options: ArmRequestsOptions) {
    this.#service = options.service;
    this.#options = options;
  }

  async answer(request: ArmRequest): Promise<Reply> {
    if (request.path.toLowerCase() === graphPath) {
      requireMethod(request, ["POST"]);
      const page = asObject(request.body["options"])["$skipToken"] === undefined ? "first" : "later";
      await this.#options.faults.before({ type: graphFaults, names: ["graph", page], operation: "read" });
      return answerGraph(this.#service.arm, request.body);
    }
    const ofSubscription = this.#options.subscription.answer(request.path);
    if (ofSubscription !== undefined) {
      requireMethod(request, ["GET"]);
      await this.#options.faults.before({ type: "subscription", names: ["subscription"], operation: "read" });
      return { status: 200, body: ofSubscription };
    }
    const route = parseRoute(request.path);
    const version = apiVersionOf(route.kind === "resource" ? route.id.type : route.type, request.query);
    switch (route.kind) {
      case "operation":
        requireMethod(request, ["GET"]);
        return this.#operation(route);
      case "list":
        requireMethod(request, ["GET"]);
        return this.#list(route, version, request);
      case "resource":
        return this.#resource(route.id, version, request);
    }
  }

  async #resource(id: ArmId, version: string, request: ArmRequest): Promise<Reply> {
    const { method, query } = request;
    requireMethod(request, ["GET", "PUT", "PATCH", "DELETE"]);
    await this.#faults(id, request);
    if (!request.undisturbed) this.#options.subscription.refuse(id, method);
    const body = inVersion(id.type, version, request.body);
    switch (method) {
      case "PUT":
        return this.#put(id, version, body);
      case "PATCH":
        return this.#patch(id, version, body);
      case "DELETE":
        return this.#delete(id, query.get("forceDelete") === "true");
      default: {
        const resource = this.#service.get(id);
        if (resource === undefined) throw notFound(id);
        return { status: 200, body: inVersion(id.type, version, resource) };
      }
    }
  }

  #put(id: ArmId, version: string, body: Json): Reply {
    if (id.type === armTypes.resourceGroup) {
      const existed = this.#service.arm.has(id);
      return { status: existed ? 200 : 201, body: this.#service.arm.put(id, body) };
    }
    const { operation, resource } = this.#service.put(id, body);
    return {
      status: operation.kind === "Creating" ? 201 : 200,
      headers: this.#asyncHeaders(operation),
      body: inVersion(id.type, version, resource),
    };
  }

  /** That of extensions and configurations takes its time; the others are done at once. */
  #patch(id: ArmId, version: string, body: Json): Reply {
    if (id.type === armTypes.resourceGroup || id.type === armTypes.connectedCluster) {
      return { status: 200, body: inVersion(id.type, version, this.#service.patchAtOnce(id, body)) };
    }
    const { operation, resource } = this.#service.patch(id, body);
    return { status: 202, headers: this.#asyncHeaders(operation), body: resource };
  }

  #delete(id: ArmId, force: boolean): Reply {
    const canForce = id.type === armTypes.extension || id.type === armTypes.fluxConfiguration;
    const operation = this.#service.delete(id, force && canForce);
    if (operation === undefined) return { status: 204 };
    const headers = canForce
      ? this.#asyncHeaders(operation)
      : { location: this.#address(operation, "operationresults") };
    return { status: 202, headers: { ...headers, "retry-after": "0" } };
  }

  async #operation({ id, result }: Route & { kind: "operation" }): Promise<Reply> {
    const operation = this.#service.operations.find(id);
    if (operation === undefined) {
      throw new ArmError(404, "OperationNotFound", `The operation '${id}' was not found.`);
    }
    await endedOrHeld(operation);
    const running = operation.status === "InProgress";
    if (result) {
      if (running) return { status: 202, headers: this.#laterHeaders(operation) };
      return operation.error === undefined ? { status: 204 } : errorReply(operation.error);
    }
    return {
      status: 200,
      ...(running && { headers: { "retry-after": "1" } }),
      body: {
        id: this.#address(operation).slice(this.#options.url().length).split("?")[0],
        name: operation.id,
        status: operation.status,
        startTime: operation.startTime,
        ...(operation.endTime !== undefined && { endTime: operation.endTime }),
        ...(operation.error !== undefined && { error: errorBody(operation.error) }),
      },
    };
  }

  #list(route: Route & { kind: "list" }, version: string, request: ArmRequest): Reply {
    const { arm } = this.#service;
    const { cluster } = route;
    if (cluster !== undefined && !arm.has(cluster)) throw notFound(cluster);
    const ids =
      cluster !== undefined && (route.type === "extensions" || route.type === "fluxConfigurations")
        ? arm.children(cluster, route.type)
        : route.type === armTypes.resourceGroup
          ? arm.groups()
          : arm.clusters(route.resourceGroup);
    const { items, next } = page(ids, request.query.get("$skiptoken"), this.#options.pageSize);
    const value = items.map((id) => inVersion(route.type, version, this.#service.get(id) ?? {}));
    const search = new URLSearchParams({ "api-version": version, $skiptoken: next ?? "" }).toString();
    return {
      status: 200,
      body: {
        value: value.filter((one) => Object.keys(one).length > 0),
        ...(next !== undefined && { nextLink: `${this.#options.url()}${request.path}?${search}` }),
      },
    };
  }

  #faults(id: ArmId, { method, callerName, undisturbed }: ArmRequest): Promise<void> {
    if (undisturbed) return Promise.resolve();
    const own = id.cluster === undefined || id.cluster === id.name ? [] : [`${id.cluster}/${id.name}`];
    return this.#options.faults.before({
      type: faultTypes[id.type],
      names: [...(callerName === undefined ? [] : [callerName]), ...own, id.name],
      operation: faultOperation(method, () => this.#service.arm.has(id)),
    });
  }

  #asyncHeaders(operation: Operation): Record<string, string> {
    const address = this.#address(operation);
    const isChild = operation.target.type !== armTypes.connectedCluster;
    return {
      "azure-asyncoperation": address,
      ...(isChild && { "operation-location": address }),
      "retry-after": "0",
    };
  }

  #laterHeaders(operation: Operation): Record<string, string> {
    return { location: this.#address(operation, "operationresults"), "retry-after": "1" };
  }

  #address(
    operation: Operation,
    how: "operationStatuses" | "operationresults" = "operationStatuses",
  ): string {
    const { target, id } = operation;
    const subscription = `/subscriptions/${subscriptionId}`;
    const path =
      target.type === armTypes.resourceGroup
        ? `${subscription}/${how}/${id}`
        : target.type === armTypes.connectedCluster
          ? `${subscription}/providers/Microsoft.Kubernetes/locations/${this.#location(target)}/${how}/${id}`
          : `${formatArmId(target)}/operations/${id}`;
    return `${this.#options.url()}${path}?api-version=${newestVersion(target.type)}`;
  }

  #location(id: ArmId): string {
    const location = asObject(this.#service.arm.get(id))["location"];
    return typeof location === "string" ? location : "westeurope";
  }
}

function requireMethod({ method, path }: ArmRequest, allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  throw new ArmError(
    405,
    "HttpMethodNotAllowed",
    `${method} is not possible on '${path}'. Possible: ${allowed.join(", ")}.`,
  );
}

function faultOperation(method: string, exists: () => boolean): FaultOperation {
  if (method === "GET") return "read";
  if (method === "DELETE") return "delete";
  return method === "PATCH" || exists() ? "update" : "create";
}

async function endedOrHeld(operation: Operation): Promise<void> {
  if (operation.status !== "InProgress") return;
  const held = Promise.withResolvers<void>();
  const timer = setTimeout(held.resolve, holdMs);
  await Promise.race([operation.ended, held.promise]);
  clearTimeout(timer);
}

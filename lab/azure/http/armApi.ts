import { setTimeout as sleep } from "node:timers/promises";
import type { Arm } from "../arm.ts";
import { ArmError } from "../armError.ts";
import type { ArmId } from "../armId.ts";
import { armTypes, clusterOf, formatArmId } from "../armId.ts";
import type { Json } from "../json.ts";
import { asObject, isObject, without } from "../json.ts";
import { AgentDesk, childOf } from "./agentDesk.ts";
import { checkApiVersion } from "./apiVersions.ts";
import { armErrorBody } from "./armErrorBody.ts";
import { armRoute, operationUrl } from "./armRoute.ts";
import type { Operation } from "./operations.ts";
import { Operations } from "./operations.ts";

export interface ArmRequest {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Where the emulator is reached, for the URLs in its answers. */
  readonly base: string;
}

export interface ArmAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

export interface ArmApiOptions {
  /** How long a create, update or delete takes. */
  readonly operationMs: number;
  /** Most resources in one page of a list. */
  readonly pageSize: number;
}

/** Azure's interface over the resources: one call a request. Refusals are thrown as ArmErrors. */
export class ArmApi {
  readonly #arm: Arm;
  readonly #options: ArmApiOptions;
  readonly #operations = new Operations();
  readonly #desk: AgentDesk;

  constructor(arm: Arm, options: ArmApiOptions) {
    this.#arm = arm;
    this.#options = options;
    this.#desk = new AgentDesk(arm);
  }

  answer(request: ArmRequest): ArmAnswer {
    const route = armRoute(request.path);
    switch (route.kind) {
      case "agent":
        return this.#agent(request, route.cluster, route.path);
      case "operation":
        return this.#operation(route.name);
      case "list":
        checkApiVersion(route.type, request.query.get("api-version"));
        only(request, "GET");
        return this.#list(request, this.#all(route.type, route.within));
      case "resource":
        checkApiVersion(route.id.type, request.query.get("api-version"));
        return this.#resource(request, route.id);
    }
  }

  #resource(request: ArmRequest, id: ArmId): ArmAnswer {
    only(request, "GET", "PUT", "PATCH", "DELETE");
    switch (request.method) {
      case "GET":
        return { status: 200, body: this.#get(id) };
      case "DELETE":
        return this.#delete(request, id);
      default:
        return this.#write(request, id);
    }
  }

  #get(id: ArmId): Json {
    const resource = this.#arm.get(id);
    if (resource === undefined) {
      const group = id.type === armTypes.resourceGroup;
      throw new ArmError(
        404,
        group ? "ResourceGroupNotFound" : "ResourceNotFound",
        group
          ? `Resource group '${id.name}' could not be found.`
          : `The Resource '${formatArmId(id)}' was not found.`,
      );
    }
    const busy = this.#operations.of(formatArmId(id));
    return busy === undefined ? resource : withState(resource, busy);
  }

  #write(request: ArmRequest, id: ArmId): ArmAnswer {
    if (!isObject(request.body)) {
      throw new ArmError(400, "InvalidRequestContent", "The request content must be a JSON object.");
    }
    this.#refuseWhileBusy(id);
    const before = this.#arm.get(id);
    if (request.method === "PATCH" && before === undefined) this.#get(id);
    const body =
      request.method === "PATCH" ? merged(this.#asWritten(id, asObject(before)), request.body) : request.body;
    const resource = this.#arm.put(id, body);
    if (id.type === armTypes.fluxConfiguration) {
      this.#desk.written(id, asObject(request.body["properties"])["configurationProtectedSettings"]);
    }
    if (id.type === armTypes.resourceGroup) return { status: before ? 200 : 201, body: resource };
    const state = before === undefined ? "Creating" : "Updating";
    const operation = this.#begin(id, state, () => Promise.resolve());
    return {
      status:
        before === undefined
          ? 201
          : request.method === "PATCH" && id.type !== armTypes.connectedCluster
            ? 202
            : 200,
      headers: headersOf(request.base, operation),
      body: withState(resource, operation),
    };
  }

  /** A resource as its last write said it, protected settings included, as far as they are still known. */
  #asWritten(id: ArmId, resource: Json): Json {
    const protectedSettings = this.#desk.protectedSettings(id);
    if (protectedSettings === undefined) return resource;
    const properties = {
      ...asObject(resource["properties"]),
      configurationProtectedSettings: protectedSettings,
    };
    return { ...resource, properties };
  }

  #delete(request: ArmRequest, id: ArmId): ArmAnswer {
    if (this.#arm.get(id) === undefined) return { status: 204 };
    const forced = request.query.get("forceDelete") === "true";
    const busy = this.#operations.of(formatArmId(id));
    // A delete that waits for an agent which does not come is what force is for.
    if (!(forced && busy?.provisioningState === "Deleting")) this.#refuseWhileBusy(id);
    this.#arm.checkDelete(id);
    const operation = this.#begin(id, "Deleting", async () => {
      if (id.type === armTypes.fluxConfiguration && !forced) await this.#desk.removed(id);
      this.#arm.delete(id);
      if (forced) this.#desk.deleted(id);
    });
    return { status: 202, headers: headersOf(request.base, operation) };
  }

  #begin(id: ArmId, state: Operation["provisioningState"], work: () => Promise<void>): Operation {
    const take = async (): Promise<void> => {
      await sleep(this.#options.operationMs);
      await work();
    };
    return this.#operations.begin(formatArmId(id), state, take, (error) => armErrorBody(error).error);
  }

  #refuseWhileBusy(id: ArmId): void {
    const busy = this.#operations.of(formatArmId(id));
    if (busy === undefined) return;
    throw new ArmError(
      409,
      "Conflict",
      `Another operation is in progress on '${id.name}' (${busy.provisioningState}). Try again once it has finished.`,
    );
  }

  #operation(name: string): ArmAnswer {
    const operation = this.#operations.find(name);
    if (operation === undefined) {
      throw new ArmError(404, "OperationNotFound", `There is no operation '${name}'.`);
    }
    const { status, error, resourceId } = operation;
    return {
      status: 200,
      ...(status === "InProgress" && { headers: { "Retry-After": "0" } }),
      body: { id: resourceId, name, status, resourceId, ...(error && { error }) },
    };
  }

  #all(type: ArmId["type"], within: ArmId | undefined): Json[] {
    switch (type) {
      case armTypes.resourceGroup:
        return this.#arm.groups();
      case armTypes.connectedCluster:
        return this.#arm.clusters(within?.resourceGroup);
      case armTypes.extension:
      case armTypes.fluxConfiguration: {
        if (within === undefined)
          throw new ArmError(404, "ResourceNotFound", "Name the cluster of the list.");
        this.#get(clusterOf(within));
        return this.#arm.children(within, type);
      }
    }
  }

  #list(request: ArmRequest, all: readonly Json[]): ArmAnswer {
    const start = Number(request.query.get("$skipToken") ?? 0);
    if (!Number.isInteger(start) || start < 0) {
      throw new ArmError(400, "InvalidSkipToken", "The $skipToken is not one that a list has given.");
    }
    const end = start + this.#options.pageSize;
    const next = new URLSearchParams(request.query);
    next.set("$skipToken", String(end));
    const more = end < all.length && { nextLink: `${request.base}${request.path}?${next.toString()}` };
    return { status: 200, body: { value: all.slice(start, end), ...more } };
  }

  #agent(request: ArmRequest, cluster: ArmId, path: string): ArmAnswer {
    if (path === "" && request.method === "GET") return { status: 200, body: this.#desk.state(cluster) };
    const body = asObject(request.body);
    const [, type, name, verb] =
      /^\/(extensions|fluxConfigurations)\/([^/]+)\/(status|deleted)$/.exec(path) ?? [];
    const id = type !== undefined && childOf(cluster, type as ArmId["type"], name ?? "");
    if (request.method === "POST" && path === "/connected") this.#desk.connected(cluster, body);
    else if (request.method === "POST" && id && verb === "status") this.#desk.reported(id, body);
    else if (request.method === "POST" && id && verb === "deleted") this.#desk.deleted(id);
    else throw new ArmError(404, "NotFound", `No agent asks for ${request.method} ${path}.`);
    return { status: 204 };
  }
}

function only({ method }: ArmRequest, ...allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  throw new ArmError(
    405,
    "MethodNotAllowed",
    `${method} is not supported here. Supported: ${allowed.join(", ")}.`,
  );
}

function withState(resource: Json, { provisioningState }: Operation): Json {
  return { ...resource, properties: { ...asObject(resource["properties"]), provisioningState } };
}

function headersOf(base: string, { name }: Operation): Record<string, string> {
  const url = operationUrl(base, name);
  return { "Azure-AsyncOperation": url, Location: url, "Retry-After": "0" };
}

/** A body with a patch merged in: null takes a field away; what only Azure writes is left to Azure. */
function merged(before: Json, patch: Json): Json {
  return merge(without(before, "id", "name", "type", "systemData"), patch);
}

function merge(before: Json, patch: Json): Json {
  const result = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isObject(value) ? merge(asObject(before[key]), value) : value;
  }
  return result;
}

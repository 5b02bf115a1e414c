import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import grpc from "@grpc/grpc-js";
import services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import type { CheckResponse, CreateResponse, DiffResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import type { InvokeResponse, ReadResponse, UpdateResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import structMessages from "google-protobuf/google/protobuf/struct_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { FaultInjector } from "../../lab/faults.ts";
import { startArm } from "../../lab/azure/http/startArm.ts";
import { azureNativeStandIn } from "../../lab/providers/azureNativeStandIn.ts";
import { serveStandIn } from "../../lab/providers/serveStandIn.ts";
import type { StandIn } from "../../lab/providers/standIn.ts";

export type Values = Record<string, unknown>;

/** What a create or read gave, as it came over the wire: secrets are marker objects. */
export interface Made {
  readonly id: string;
  readonly outputs: Values;
}

const urn = (type: string, name: string) => `urn:pulumi:test::lab::${type}::${name}`;
const struct = (values: Values) =>
  structMessages.Struct.fromJavaScript(
    JSON.parse(JSON.stringify(values)) as Parameters<typeof structMessages.Struct.fromJavaScript>[0],
  );
const values = (message: Struct | undefined) => (message?.toJavaScript() ?? {}) as Values;

/** Talks to a stand-in as the engine does, over gRPC. */
export class ProviderClient {
  readonly dir: string;
  readonly #standIn: { port: number; close(): void };
  readonly #behind: { close(): Promise<void> } | undefined;
  readonly #connections: grpc.Client[] = [];

  private constructor(
    dir: string,
    standIn: { port: number; close(): void },
    behind?: { close(): Promise<void> },
  ) {
    this.dir = dir;
    this.#standIn = standIn;
    this.#behind = behind;
  }

  /** Serves the stand-in over a folder of its own. */
  static async start(create: (dir: string) => StandIn): Promise<ProviderClient> {
    const dir = mkdtempSync(path.join(tmpdir(), "arcflux-lab-"));
    return new ProviderClient(dir, await serveStandIn(create(dir), new FaultInjector(dir), 0));
  }

  /** Serves azure-native over an Azure of its own. */
  static async startAzure(options: { assumeClusters?: boolean } = {}): Promise<ProviderClient> {
    const dir = mkdtempSync(path.join(tmpdir(), "arcflux-lab-"));
    const arm = await startArm({ dir, ...options });
    const served = await serveStandIn(azureNativeStandIn(arm.url), new FaultInjector(dir), 0);
    return new ProviderClient(dir, served, arm);
  }

  /** A connection of its own, as each provider resource of a stack has one. */
  connect(): Connection {
    const address = `127.0.0.1:${this.#standIn.port}`;
    const Client = services.ResourceProviderClient as unknown as new (...args: unknown[]) => grpc.Client;
    const client = new Client(address, grpc.credentials.createInsecure(), {
      "grpc.use_local_subchannel_pool": 1,
    });
    this.#connections.push(client);
    return new Connection(client);
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    this.#standIn.close();
    await this.#behind?.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

export class Connection {
  readonly #client: grpc.Client;

  constructor(client: grpc.Client) {
    this.#client = client;
  }

  async configure(config: Values): Promise<void> {
    await this.#call("configure", new messages.ConfigureRequest().setArgs(struct(config)));
  }

  async check(type: string, inputs: Values): Promise<{ inputs: Values; failures: string[] }> {
    const request = new messages.CheckRequest().setUrn(urn(type, "one")).setNews(struct(inputs));
    const response = await this.#call<CheckResponse>("check", request.setRandomseed(Buffer.alloc(32, 7)));
    return {
      inputs: values(response.getInputs()),
      failures: response.getFailuresList().map((one) => one.getReason()),
    };
  }

  async diff(type: string, before: Values, after: Values) {
    const request = new messages.DiffRequest().setUrn(urn(type, "one"));
    const response = await this.#call<DiffResponse>(
      "diff",
      request.setOldInputs(struct(before)).setOlds(struct(before)).setNews(struct(after)),
    );
    return {
      changed: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
      paths: response
        .getDetaileddiffMap()
        .getEntryList()
        .map(([key]) => key),
      replaces: response.getReplacesList(),
      deleteFirst: response.getDeletebeforereplace(),
    };
  }

  async create(
    type: string,
    inputs: Values,
    options: { preview?: boolean; name?: string } = {},
  ): Promise<Made> {
    const request = new messages.CreateRequest().setUrn(urn(type, options.name ?? "one"));
    const response = await this.#call<CreateResponse>(
      "create",
      request.setProperties(struct(inputs)).setPreview(options.preview ?? false),
    );
    return { id: response.getId(), outputs: values(response.getProperties()) };
  }

  async update(type: string, made: Made, inputs: Values): Promise<Made> {
    const request = new messages.UpdateRequest().setUrn(urn(type, "one")).setId(made.id);
    const response = await this.#call<UpdateResponse>(
      "update",
      request.setOlds(struct(made.outputs)).setNews(struct(inputs)),
    );
    return { id: made.id, outputs: values(response.getProperties()) };
  }

  async read(
    type: string,
    id: string,
    inputs: Values = {},
    outputs: Values = {},
  ): Promise<Made & { inputs: Values }> {
    const request = new messages.ReadRequest().setUrn(urn(type, "one")).setId(id);
    const response = await this.#call<ReadResponse>(
      "read",
      request.setInputs(struct(inputs)).setProperties(struct(outputs)),
    );
    return {
      id: response.getId(),
      outputs: values(response.getProperties()),
      inputs: values(response.getInputs()),
    };
  }

  async delete(type: string, made: Made): Promise<void> {
    const request = new messages.DeleteRequest().setUrn(urn(type, "one")).setId(made.id);
    await this.#call("delete", request.setProperties(struct(made.outputs)));
  }

  async invoke(token: string, args: Values): Promise<Values> {
    const request = new messages.InvokeRequest().setTok(token).setArgs(struct(args));
    return values((await this.#call<InvokeResponse>("invoke", request)).getReturn());
  }

  #call<Response>(method: string, request: object): Promise<Response> {
    const methods = this.#client as unknown as Record<
      string,
      (request: object, callback: (error: grpc.ServiceError | null, response: Response) => void) => void
    >;
    return new Promise((resolve, reject) => {
      methods[method]?.call(this.#client, request, (error, response) => {
        if (error) reject(new Error(error.details));
        else resolve(response);
      });
    });
  }
}

/** A value as the engine sends a secret. */
export function secret(value: unknown): Values {
  return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value };
}

import grpc from "@grpc/grpc-js";
import type { Message } from "google-protobuf";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { configHandlers } from "./configHandlers.ts";
import type { FaultInjector } from "../faults.ts";
import { resourceHandlers } from "./resourceHandlers.ts";
import type { StandIn } from "./standIn.ts";
import { fromStruct, toStruct } from "./struct.ts";

/** A method of the provider service, as a plain asynchronous function. */
type Method = (request: never, peer: string) => Promise<Message> | Message;

/** The whole provider service of a stand-in. */
function methods(standIn: StandIn, faults: FaultInjector): Record<string, Method> {
  const empty = (): Message => new emptyMessages.Empty();
  return {
    handshake: () => new messages.ProviderHandshakeResponse().setAcceptSecrets(true),
    attach: empty,
    cancel: empty,
    getPluginInfo: () => new pluginMessages.PluginInfo().setVersion(standIn.version),
    getSchema: () => new messages.GetSchemaResponse().setSchema("{}"),
    async invoke(request: InstanceType<typeof messages.InvokeRequest>) {
      const found = await standIn.invoke(request.getTok(), fromStruct(request.getArgs()).plain);
      return new messages.InvokeResponse().setReturn(toStruct(found));
    },
    ...configHandlers(standIn),
    ...resourceHandlers(standIn, faults),
  };
}

export interface ServedStandIn {
  readonly port: number;
  /** Ends the server and its connections at once. */
  close(): void;
}

/** Serves a stand-in on loopback, port 0 being any free one. Rejects when the port is taken. */
export async function serveStandIn(
  standIn: StandIn,
  faults: FaultInjector,
  port: number,
): Promise<ServedStandIn> {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
    // With it two labs would share a port, and each get half of the calls.
    "grpc.so_reuseport": 0,
  });
  const implementation = Object.fromEntries(
    Object.entries(methods(standIn, faults)).map(([name, method]) => [name, handler(method)]),
  );
  server.addService(
    services.ResourceProviderService,
    implementation as unknown as grpc.UntypedServiceImplementation,
  );
  return new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve({ port: bound, close: () => server.forceShutdown() });
    });
  });
}

function handler(method: Method): grpc.handleUnaryCall<never, Message> {
  return (call, callback) => {
    void (async () => {
      try {
        callback(null, await method(call.request, call.getPeer()));
      } catch (error) {
        callback({
          code: grpc.status.UNKNOWN,
          details: error instanceof Error ? error.message : String(error),
        });
      }
    })();
  };
}

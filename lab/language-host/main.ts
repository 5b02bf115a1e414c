/**
 * Stands in for pulumi-language-nodejs where there is none: the part of its protocol that previews, updates and
 * policy packs use. The engine starts it with its address as the last argument and reads the port from stdout.
 */
import grpc from "@grpc/grpc-js";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import messages from "@pulumi/pulumi/proto/language_pb.js";
import type {
  AboutRequest,
  LanguageHandshakeRequest,
  RunPluginRequest,
  RunRequest,
} from "@pulumi/pulumi/proto/language_pb.js";
import services from "@pulumi/pulumi/proto/language_grpc_pb.js";
import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import type { Message } from "google-protobuf";
import { endWithParent } from "../endWithParent.ts";
import { Children } from "./children.ts";
import { runPlugin } from "./runPlugin.ts";
import { runProgram } from "./runProgram.ts";

const version = "0.0.0-lab";
let engineAddress = process.argv.at(-1) ?? "";
const children = new Children();

const unary: Record<string, (request: never) => Message | Promise<Message>> = {
  handshake(request: LanguageHandshakeRequest) {
    engineAddress = request.getEngineAddress();
    return new messages.LanguageHandshakeResponse();
  },
  // Nothing is to be installed: providers are attached to, or named by a path in Pulumi.yaml.
  getRequiredPackages: () => new messages.GetRequiredPackagesResponse(),
  getRequiredPlugins: () => new messages.GetRequiredPluginsResponse(),
  getProgramDependencies: () => new messages.GetProgramDependenciesResponse(),
  getPluginInfo: () => new pluginMessages.PluginInfo().setVersion(version),
  about(_request: AboutRequest) {
    return new messages.AboutResponse().setExecutable(process.execPath).setVersion(process.version);
  },
  run: (request: RunRequest) => runProgram(request, engineAddress, children),
  async cancel() {
    await children.interrupt();
    return new emptyMessages.Empty();
  },
};

const implementation: Record<string, unknown> = {
  runPlugin: (call: grpc.ServerWritableStream<RunPluginRequest, Message>) => runPlugin(call, children),
  // The packages are there already: set-up brought them.
  installDependencies: (call: grpc.ServerWritableStream<Message, Message>) => call.end(),
};
for (const [name, method] of Object.entries(unary)) {
  implementation[name] = (call: { request: never }, callback: grpc.sendUnaryData<Message>) => {
    void (async () => {
      try {
        callback(null, await method(call.request));
      } catch (error) {
        callback({
          code: grpc.status.UNKNOWN,
          details: error instanceof Error ? error.message : String(error),
        });
      }
    })();
  };
}

const leave = (): void => {
  children.kill();
  process.exit(0);
};
// The engine listens at its address as long as it lives.
endWithParent(leave, { address: () => engineAddress });
// The engine ends a plugin with SIGINT, and waits five seconds before it kills one that stays.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, leave);

const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(
  services.LanguageRuntimeService,
  implementation as unknown as grpc.UntypedServiceImplementation,
);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(String(port));
});

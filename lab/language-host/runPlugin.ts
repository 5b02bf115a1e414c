import { spawn } from "node:child_process";
import type grpc from "@grpc/grpc-js";
import type { Message } from "google-protobuf";
import messages from "@pulumi/pulumi/proto/language_pb.js";
import type { RunPluginRequest } from "@pulumi/pulumi/proto/language_pb.js";
import type { Children } from "./children.ts";
import { locateSdk, nodeOptions } from "./nodeOptions.ts";

/**
 * Runs a policy pack or another plugin written for Node and streams its output. The stock host puts a proxy before a
 * policy pack, so that the pack sees the stack's configuration in its environment; this one does not.
 */
export function runPlugin(
  call: grpc.ServerWritableStream<RunPluginRequest, Message>,
  children: Children,
): void {
  const request = call.request;
  const info = request.getInfo();
  const directory = info?.getProgramDirectory() ?? request.getPwd();
  const options = nodeOptions(info);
  const isPolicyPack = request.getKind() === "analyzer";
  let script: string;
  try {
    script = locateSdk(`@pulumi/pulumi/cmd/${isPolicyPack ? "run-policy-pack" : "run-plugin"}`, directory);
  } catch (error) {
    call.destroy(error as Error);
    return;
  }
  const given = request.getArgsList();
  const child = spawn(
    "node",
    // A policy pack takes its folder last, everything else first.
    [script, ...options.nodeArgs, ...(isPolicyPack ? [...given, directory] : [directory, ...given])],
    {
      cwd: isPolicyPack ? directory : request.getPwd(),
      env: { ...Object.fromEntries(request.getEnvList().map(splitVariable)), ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  children.add(child);
  const write = (message: Message): void => {
    if (!call.destroyed && !call.cancelled) call.write(message);
  };
  child.stdout.on("data", (bytes: Buffer) => write(new messages.RunPluginResponse().setStdout(bytes)));
  child.stderr.on("data", (bytes: Buffer) => write(new messages.RunPluginResponse().setStderr(bytes)));
  child.once("error", (error) => call.destroy(error));
  child.once("close", (code) => {
    write(new messages.RunPluginResponse().setExitcode(code ?? 1));
    call.end();
  });
  // The engine ends a plugin by cancelling the call.
  call.on("cancelled", () => child.kill("SIGKILL"));
}

function splitVariable(variable: string): [string, string] {
  const at = variable.indexOf("=", 1);
  return [variable.slice(0, at), variable.slice(at + 1)];
}

import grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engine from "@pulumi/pulumi/proto/engine_pb.js";

import type { Warn } from "./writes.ts";

/** A way to warn the user: shown by the engine at `address` (host:port) beside the resource. */
export function engineWarner(address: string | undefined): Warn {
  if (address === undefined) return () => Promise.resolve();
  const client = new EngineClient(address, grpc.credentials.createInsecure());
  return (urn, message) =>
    new Promise((resolve) => {
      const request = new engine.LogRequest();
      request.setSeverity(engine.LogSeverity.WARNING);
      request.setUrn(urn);
      request.setMessage(message);
      // A warning that cannot be shown is no reason to fail a write that has landed.
      client.log(request, () => resolve());
    });
}

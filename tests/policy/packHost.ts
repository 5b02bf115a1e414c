import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

import * as grpc from "@grpc/grpc-js";
import analyzerRpc from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import analyzer from "@pulumi/pulumi/proto/analyzer_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";

export const Level = analyzer.EnforcementLevel;

/** A policy pack in Pulumi's own host process, spoken to as the engine does. */
export interface PackHost {
  readonly info: () => Promise<analyzer.AnalyzerInfo.AsObject>;
  readonly configure: (
    policy: string,
    level: analyzer.EnforcementLevel,
    properties?: Properties,
  ) => Promise<void>;
  readonly analyze: (resource: Resource) => Promise<Diagnostic[]>;
  /** The inputs as the last remediation leaves them; undefined where none changes them. */
  readonly remediate: (resource: Resource) => Promise<object | undefined>;
  readonly analyzeStack: (resources: readonly Resource[]) => Promise<Diagnostic[]>;
  readonly stop: () => Promise<void>;
}

type Properties = Parameters<typeof struct.Struct.fromJavaScript>[0];
type Diagnostic = analyzer.AnalyzeDiagnostic.AsObject;

export interface Resource {
  readonly type: string;
  readonly name: string;
  readonly props: object;
  readonly dependsOn?: readonly string[];
}

/** Starts the pack in `policy/` the way the language host does: with the pack's folder to work in. */
export async function startPack(): Promise<PackHost> {
  const folder = resolve(import.meta.dirname, "../../policy");
  const host = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/run-policy-pack");
  const child = spawn(process.execPath, [host, "127.0.0.1:1", folder], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(() =>
    Promise.reject(new Error("the host ended before it was ready")),
  );
  const [port] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
  ended.catch(() => undefined);
  const client = new analyzerRpc.AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  return {
    info: async () =>
      (
        await answer<analyzer.AnalyzerInfo>((done) => client.getAnalyzerInfo(new empty.Empty(), done))
      ).toObject(),
    configure: async (policy, level, properties = {}) => {
      const config = new analyzer.PolicyConfig().setEnforcementlevel(level);
      config.setProperties(struct.Struct.fromJavaScript(properties));
      const request = new analyzer.ConfigureAnalyzerRequest();
      request.getPolicyconfigMap().set(policy, config);
      await answer((done) => client.configure(request, done));
    },
    analyze: async (resource) => {
      const response = await answer<analyzer.AnalyzeResponse>((done) =>
        client.analyze(analyzed(resource), done),
      );
      return response.toObject().diagnosticsList;
    },
    remediate: async (resource) => {
      const response = await answer<analyzer.RemediateResponse>((done) =>
        client.remediate(analyzed(resource), done),
      );
      return response.getRemediationsList().at(-1)?.getProperties()?.toJavaScript();
    },
    analyzeStack: async (resources) => {
      const request = new analyzer.AnalyzeStackRequest().setResourcesList(resources.map(inStack));
      const response = await answer<analyzer.AnalyzeResponse>((done) => client.analyzeStack(request, done));
      return response.toObject().diagnosticsList;
    },
    stop: async () => {
      client.close();
      const exit = once(child, "exit");
      child.kill();
      await exit;
    },
  };
}

/** As of a component of Arcflux; what others make is none of the pack's business. */
export const urn = (name: string): string => `urn:pulumi:dev::arcflux::arcflux:index:EdgeCluster$x::${name}`;

function analyzed({ type, name, props }: Resource): analyzer.AnalyzeRequest {
  return new analyzer.AnalyzeRequest()
    .setType(type)
    .setName(name)
    .setUrn(urn(name))
    .setProperties(struct.Struct.fromJavaScript(props as Properties))
    .setOptions(new analyzer.AnalyzerResourceOptions());
}

function inStack({ type, name, props, dependsOn = [] }: Resource): analyzer.AnalyzerResource {
  return new analyzer.AnalyzerResource()
    .setType(type)
    .setName(name)
    .setUrn(urn(name))
    .setProperties(struct.Struct.fromJavaScript(props as Properties))
    .setOptions(new analyzer.AnalyzerResourceOptions())
    .setDependenciesList(dependsOn.map(urn));
}

function answer<T>(call: (done: (error: Error | null, response: T) => void) => void): Promise<T> {
  return new Promise((done, fail) => {
    call((error, response) => (error ? fail(error) : done(response)));
  });
}

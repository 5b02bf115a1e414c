import { createRequire } from "node:module";
import path from "node:path";
import type { ProgramInfo } from "@pulumi/pulumi/proto/language_pb.js";

/** `runtime.options` of Pulumi.yaml, as far as the lab's host knows them. */
export interface NodeOptions {
  /** Arguments for Node itself. */
  readonly nodeArgs: readonly string[];
  /** Variables that tell the SDK how to load TypeScript. */
  readonly env: Readonly<Record<string, string>>;
}

/** Reads the options. `typescript` is true unless set, as in the stock host: then the SDK registers ts-node. */
export function nodeOptions(info: ProgramInfo | undefined): NodeOptions {
  const options = (info?.getOptions()?.toJavaScript() ?? {}) as Record<string, unknown>;
  const { typescript = true, tsconfig, nodeargs } = options;
  return {
    nodeArgs: typeof nodeargs === "string" ? nodeargs.split(/\s+/).filter((arg) => arg !== "") : [],
    env: {
      ...(typescript === true || typescript === "true" ? { PULUMI_NODEJS_TYPESCRIPT: "true" } : {}),
      ...(typeof tsconfig === "string" ? { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig } : {}),
    },
  };
}

/** A module of the Pulumi SDK, found from the program's folder upwards. Throws with the next step. */
export function locateSdk(module: string, programDirectory: string): string {
  try {
    return createRequire(path.join(programDirectory, "package.json")).resolve(module);
  } catch {
    throw new Error(
      `The Pulumi SDK was not found from ${programDirectory}. Install its packages, then run again.`,
    );
  }
}

import type { Json } from "../json.ts";
import type { OperationKind } from "./operations.ts";

/* What the agents on a cluster and the emulator say to each other, below `/lab/agent/`. Azure has an endpoint of its own for it. */

/** Proof that the agents hold the private key of a connected cluster, and what they know of it. */
export interface AgentHello {
  /** Azure id of the connected cluster. */
  readonly clusterId: string;
  /** ISO time of the signature. */
  readonly time: string;
  /** Base64 of the RSA-SHA256 signature over {@link signedText}. */
  readonly signature: string;
  readonly kubernetesVersion: string;
  readonly agentVersion: string;
  readonly totalNodeCount: number;
  readonly totalCoreCount: number;
}

export function signedText({ clusterId, time }: Pick<AgentHello, "clusterId" | "time">): Buffer {
  return Buffer.from(`${clusterId.toLowerCase()}\n${time}`);
}

/** An operation that waits for the agents. */
export interface AgentOperation {
  readonly id: string;
  readonly kind: OperationKind;
}

export interface AgentExtension {
  readonly name: string;
  readonly properties: Json;
  readonly operation?: AgentOperation;
}

export interface AgentConfiguration {
  readonly name: string;
  /** Changes with each PUT and PATCH. */
  readonly operationId: string;
  readonly properties: Json;
  readonly operation?: AgentOperation;
  /** Names of the protected settings. */
  readonly protectedKeys: readonly string[];
  /** Their values; absent when they have been lost, since they are kept in memory only. */
  readonly protectedSettings?: Readonly<Record<string, string>>;
}

/** All that should be on one cluster. */
export interface AgentWork {
  /** Goes up with every change in Azure. */
  readonly revision: number;
  readonly extensions: readonly AgentExtension[];
  readonly configurations: readonly AgentConfiguration[];
}

/** What the agents say about one extension or configuration. */
export interface AgentReport {
  readonly type: "extensions" | "fluxConfigurations";
  readonly name: string;
  /** Of the configuration that this is about; a report on an older one is dropped. */
  readonly operationId?: string;
  /** Read-only properties that have changed. */
  readonly properties?: Json;
  /** Id of the operation that is over with this. */
  readonly ends?: string;
  /** Why it has failed, if it has. */
  readonly error?: string;
}

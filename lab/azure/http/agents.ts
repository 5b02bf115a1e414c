import { createPublicKey, randomBytes, verify } from "node:crypto";
import type { Arm } from "../arm.ts";
import { notFound } from "../arm.ts";
import { ArmError } from "../armError.ts";
import type { ArmId } from "../armId.ts";
import { armTypes, clusterOf, parseArmId } from "../armId.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import type {
  AgentConfiguration,
  AgentExtension,
  AgentHello,
  AgentOperation,
  AgentReport,
  AgentWork,
} from "./agentProtocol.ts";
import { signedText } from "./agentProtocol.ts";
import type { Operation, Operations } from "./operations.ts";
import { keyOf } from "./operations.ts";

/** What the agents may say of a resource. */
const reportable = {
  extensions: new Set(["statuses", "errorInfo"]),
  fluxConfigurations: new Set([
    "complianceState",
    "errorMessage",
    "statuses",
    "sourceSyncedCommitId",
    "sourceUpdatedAt",
    "statusUpdatedAt",
  ]),
} as const;

/** How old a signature may be. */
const freshMs = 5 * 60_000;
/** How often a heart beat is written down. */
const beatMs = 60_000;

interface Session {
  readonly cluster: ArmId;
  beat: number;
}

interface AgentsOptions {
  secrets(id: ArmId): Json | undefined;
  end(operation: Operation, error?: ArmError): void;
}

/** Azure's side of the agents: who they are, what is to be on their cluster, and what they found there. */
export class Agents {
  readonly #arm: Arm;
  readonly #operations: Operations;
  readonly #options: AgentsOptions;
  readonly #sessions = new Map<string, Session>();
  /** Clusters whose agents have been here, whether they still are or not. */
  readonly #known = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #revision = 0;

  constructor(arm: Arm, operations: Operations, options: AgentsOptions) {
    this.#arm = arm;
    this.#operations = operations;
    this.#options = options;
  }

  /** Whether it is for the agents of its cluster to say when an operation on a resource is over. */
  answerFor(id: ArmId): boolean {
    const isChild = id.type === armTypes.extension || id.type === armTypes.fluxConfiguration;
    return isChild && this.#known.has(keyOf(clusterOf(id)));
  }

  /** Something is other than it was: agents that wait for it are told. */
  changed(): void {
    this.#revision += 1;
    for (const wake of [...this.#waiting]) wake();
  }

  /** A resource is gone, and with a cluster its agents are nobody's any more. */
  forget(id: ArmId): void {
    const key = keyOf(id);
    const isGone = (cluster: string): boolean => cluster === key || cluster.startsWith(`${key}/`);
    for (const [token, { cluster }] of this.#sessions) {
      if (isGone(keyOf(cluster))) this.#sessions.delete(token);
    }
    for (const cluster of this.#known) if (isGone(cluster)) this.#known.delete(cluster);
  }

  /** Lets agents in that hold the private key of the connected cluster, and gives the token for their other requests. */
  connect(hello: AgentHello): string {
    const cluster = parseArmId(hello.clusterId);
    const resource = this.#arm.get(cluster);
    if (cluster.type !== armTypes.connectedCluster || resource === undefined) throw notFound(cluster);
    checkProof(hello, asObject(resource["properties"])["agentPublicKeyCertificate"]);
    this.#drop(cluster);
    const token = randomBytes(32).toString("hex");
    this.#sessions.set(token, { cluster, beat: Date.now() });
    this.#known.add(keyOf(cluster));
    this.#arm.report(cluster, {
      connectivityStatus: "Connected",
      kubernetesVersion: hello.kubernetesVersion,
      agentVersion: hello.agentVersion,
      totalNodeCount: hello.totalNodeCount,
      totalCoreCount: hello.totalCoreCount,
      lastConnectivityTime: new Date().toISOString(),
    });
    return token;
  }

  /** Agents of a cluster that only pretends: they show that they hold the key, and then do nothing. */
  installed(hello: AgentHello): void {
    const cluster = parseArmId(hello.clusterId);
    const resource = this.#arm.get(cluster);
    if (resource === undefined) throw notFound(cluster);
    checkProof(hello, asObject(resource["properties"])["agentPublicKeyCertificate"]);
    this.#arm.report(cluster, {
      connectivityStatus: "Connected",
      agentVersion: hello.agentVersion,
      lastConnectivityTime: new Date().toISOString(),
    });
  }

  disconnect(token: string): void {
    const { cluster } = this.#session(token);
    this.#sessions.delete(token);
    this.#arm.report(cluster, { connectivityStatus: "Offline" });
  }

  /** What is to be on the cluster; waits up to `seconds` for a revision after the given one. */
  async work(token: string, after: number, seconds: number): Promise<AgentWork> {
    this.#session(token);
    if (this.#revision <= after) await this.#change(seconds * 1000);
    const session = this.#session(token);
    this.#beat(session);
    const { cluster } = session;
    return {
      revision: this.#revision,
      extensions: this.#arm.children(cluster, "extensions").map((id) => this.#extension(id)),
      configurations: this.#arm.children(cluster, "fluxConfigurations").map((id) => this.#configuration(id)),
    };
  }

  report(token: string, { type, name, operationId, properties, ends, error }: AgentReport): void {
    const id: ArmId = { ...this.#session(token).cluster, type, name };
    const isStale = operationId !== undefined && operationId !== this.#arm.note(id).operationId;
    if (properties !== undefined && !isStale) {
      const allowed: ReadonlySet<string> = reportable[type];
      const found = Object.entries(properties).filter(([key]) => allowed.has(key));
      this.#arm.report(id, Object.fromEntries(found));
    }
    const operation = ends === undefined ? undefined : this.#operations.find(ends);
    if (operation === undefined || keyOf(operation.target) !== keyOf(id)) return;
    this.#options.end(
      operation,
      error === undefined ? undefined : new ArmError(400, "ClusterOperationFailed", error),
    );
  }

  #extension(id: ArmId): AgentExtension {
    const properties = asObject(this.#arm.get(id)?.["properties"]);
    return { name: id.name, properties, ...this.#pending(id) };
  }

  #configuration(id: ArmId): AgentConfiguration {
    const { operationId = "", protectedKeys = [] } = this.#arm.note(id);
    const secrets = this.#options.secrets(id) as Record<string, string> | undefined;
    return {
      name: id.name,
      operationId,
      properties: asObject(this.#arm.get(id)?.["properties"]),
      ...this.#pending(id),
      protectedKeys,
      ...(secrets !== undefined && { protectedSettings: secrets }),
    };
  }

  #pending(id: ArmId): { operation?: AgentOperation } {
    const operation = this.#operations.on(id);
    return operation ? { operation: { id: operation.id, kind: operation.kind } } : {};
  }

  #session(token: string): Session {
    const session = this.#sessions.get(token);
    if (session !== undefined) return session;
    throw new ArmError(401, "AgentNotConnected", "The agents are not connected, or not any more.");
  }

  #drop(cluster: ArmId): void {
    for (const [token, session] of this.#sessions) {
      if (keyOf(session.cluster) === keyOf(cluster)) this.#sessions.delete(token);
    }
  }

  #beat(session: Session): void {
    if (Date.now() - session.beat < beatMs) return;
    session.beat = Date.now();
    this.#arm.report(session.cluster, { lastConnectivityTime: new Date().toISOString() });
  }

  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiting.add(wake);
    });
  }
}

function checkProof(hello: AgentHello, certificate: unknown): void {
  const refuse = (why: string): never => {
    throw new ArmError(403, "AgentKeyRefused", `${why} The cluster stays as it is, not connected.`);
  };
  if (typeof certificate !== "string" || certificate === "") {
    refuse(`'${hello.clusterId}' has no agentPublicKeyCertificate.`);
  }
  const age = Math.abs(Date.now() - Date.parse(hello.time));
  if (!(age < freshMs)) refuse("The signature is too old, or from the future.");
  const key = createPublicKey({
    key: Buffer.from(String(certificate), "base64"),
    format: "der",
    type: "pkcs1",
  });
  if (verify("sha256", signedText(hello), key, Buffer.from(hello.signature, "base64"))) return;
  refuse(
    `The onboardingPrivateKey of the agents does not belong to the agentPublicKeyCertificate of '${hello.clusterId}'.`,
  );
}

import { createPrivateKey, sign } from "node:crypto";
import { ArmError } from "../armError.ts";
import { armTypes, formatArmId } from "../armId.ts";
import type { AgentHello, AgentReport, AgentWork } from "../http/agentProtocol.ts";
import { signedText } from "../http/agentProtocol.ts";
import { agentPath } from "../http/agentRequests.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import type { AgentsRelease } from "./agentsRelease.ts";

/** What the agents know of their cluster. */
export interface ClusterFacts {
  readonly kubernetesVersion: string;
  readonly totalNodeCount: number;
  readonly totalCoreCount: number;
}

/** The agents' line to Azure. Every method rejects with an ArmError when Azure refuses. */
export class AgentConnection {
  readonly #armUrl: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  private constructor(armUrl: string, token: string, signal: AbortSignal) {
    this.#armUrl = armUrl;
    this.#token = token;
    this.#signal = signal;
  }

  /** Proves to Azure that the release holds the private key of its connected cluster. The key itself is not sent. */
  static async open(
    armUrl: string,
    release: AgentsRelease,
    facts: ClusterFacts,
    signal: AbortSignal,
  ): Promise<AgentConnection> {
    const { token } = await send(armUrl, "POST", "connect", { body: helloOf(release, facts), signal });
    return new AgentConnection(armUrl, String(token), signal);
  }

  /** Says of a cluster that only pretends that its agents are there. Rejects where they hold another key than Azure knows. */
  static async pretend(armUrl: string, release: Omit<AgentsRelease, "revision">): Promise<void> {
    const facts = { kubernetesVersion: "1.33.1", totalNodeCount: 1, totalCoreCount: 4 };
    await send(armUrl, "POST", "installed", {
      body: helloOf(release, facts),
      signal: AbortSignal.timeout(5_000),
    });
  }

  /** What should be on the cluster; waits up to `seconds` for a revision after the given one. */
  async work(after: number, seconds: number): Promise<AgentWork> {
    const answer = await this.#send("GET", `work?after=${after}&seconds=${seconds}`);
    return answer as unknown as AgentWork;
  }

  async report(report: AgentReport): Promise<void> {
    await this.#send("POST", "report", report);
  }

  async close(): Promise<void> {
    // Also when everything else is being given up.
    await send(this.#armUrl, "POST", "disconnect", { token: this.#token, signal: AbortSignal.timeout(2000) });
  }

  #send(method: string, what: string, body?: object): Promise<Json> {
    return send(this.#armUrl, method, what, {
      token: this.#token,
      signal: this.#signal,
      ...(body && { body }),
    });
  }
}

function helloOf(release: Omit<AgentsRelease, "revision">, facts: ClusterFacts): AgentHello {
  const { resourceGroupName: resourceGroup, resourceName: name, subscriptionId } = release;
  const id = formatArmId({ type: armTypes.connectedCluster, resourceGroup, cluster: name, name });
  const claim = {
    clusterId: id.replace(/^\/subscriptions\/[^/]+/, `/subscriptions/${subscriptionId}`),
    time: new Date().toISOString(),
  };
  return {
    ...claim,
    ...facts,
    agentVersion: release.agentVersion,
    signature: sign("sha256", signedText(claim), privateKeyOf(release)).toString("base64"),
  };
}

function privateKeyOf({ onboardingPrivateKey, resourceName }: Omit<AgentsRelease, "revision">) {
  try {
    return createPrivateKey(onboardingPrivateKey);
  } catch {
    throw new ArmError(
      403,
      "AgentKeyRefused",
      `The onboardingPrivateKey in the agents' release is not a private key in PEM, so '${resourceName}' stays not connected.`,
    );
  }
}

async function send(
  armUrl: string,
  method: string,
  what: string,
  { token, body, signal }: { token?: string; body?: object; signal: AbortSignal },
): Promise<Json> {
  const response = await fetch(`${armUrl}${agentPath}${what}`, {
    method,
    signal,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === "" ? {} : asObject(JSON.parse(text));
  if (response.ok) return answer;
  const { code, message } = asObject(answer["error"]);
  throw new ArmError(response.status, String(code), String(message));
}

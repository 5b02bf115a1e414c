import { setTimeout as sleep } from "node:timers/promises";
import { ClusterApi } from "../../cluster/clusterApi.ts";
import { ArmError } from "../armError.ts";
import type { AgentWork } from "../http/agentProtocol.ts";
import { asObject } from "../json.ts";
import type { ClusterFacts } from "./agentConnection.ts";
import { AgentConnection } from "./agentConnection.ts";
import type { AgentsRelease } from "./agentsRelease.ts";
import { findAgentsRelease } from "./agentsRelease.ts";
import { ClusterReconciler } from "./clusterReconciler.ts";

export interface ClusterAgentOptions {
  /** Of the lab's Azure, such as `http://127.0.0.1:41234`. */
  readonly armUrl: string;
  /** Path. */
  readonly kubeconfig: string;
  readonly context: string;
  /** Gets a line for what the agents did, and for what keeps them from it. Never a secret. */
  readonly log: (line: string) => void;
  /** Why the cluster will not answer any more, once that is so. Defaults to never. */
  readonly failure?: () => Error | undefined;
  /** Between two looks at the cluster, in milliseconds. Defaults to 500. */
  readonly interval?: number;
}

export interface ClusterAgent {
  /** Ends the agents' work, and tells Azure that they are gone. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Does on a cluster what Azure's agents do: once their Helm release is there it connects the cluster, makes and changes
 * the objects of its Flux configurations, removes them, and reports their state. It installs no controllers. Nothing that
 * goes wrong ends it: it is logged, and tried again.
 */
export function startClusterAgent(options: ClusterAgentOptions): ClusterAgent {
  const giveUp = new AbortController();
  const agent = new Agent(options, giveUp.signal);
  const ended = agent.run();
  return {
    async stop() {
      giveUp.abort();
      // A cluster that does not answer is not waited for.
      await Promise.race([ended, sleep(2000, undefined, { ref: false })]);
    },
  };
}

/** While something is under way, the cluster is looked at this often, in milliseconds. */
const soon = 100;

class Agent {
  readonly #options: ClusterAgentOptions;
  readonly #signal: AbortSignal;
  readonly #api: ClusterApi;
  #link: Link | undefined;
  #complaint = "";

  constructor(options: ClusterAgentOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#api = new ClusterApi(options.kubeconfig, options.context);
  }

  async run(): Promise<void> {
    const { interval = 500 } = this.#options;
    while (!this.#signal.aborted) {
      let busy = false;
      try {
        busy = await this.#round();
        this.#complaint = "";
      } catch (error) {
        this.#complain(error);
        await this.#refuseAll().catch((failure: unknown) => this.#complain(failure));
      }
      await this.#pause(busy ? Math.min(soon, interval) : interval);
    }
    await this.#disconnect();
  }

  /** Gives whether something is under way. */
  async #round(): Promise<boolean> {
    const release = await findAgentsRelease(this.#api);
    if (release === undefined) {
      await this.#disconnect();
      return false;
    }
    if (this.#link?.release.revision !== release.revision) await this.#connect(release);
    const link = this.#link;
    if (link === undefined) return false;
    const work = await link.work();
    return link.reconciler.reconcile(work);
  }

  /** What Azure waits for on a cluster that is dead has failed: nobody is to wait for it without end. */
  async #refuseAll(): Promise<void> {
    const failure = this.#options.failure?.();
    const link = this.#link;
    if (failure === undefined || link === undefined) return;
    const { extensions, configurations } = await link.work();
    const resources = [
      ...extensions.map((one) => ({ ...one, type: "extensions" as const })),
      ...configurations.map((one) => ({ ...one, type: "fluxConfigurations" as const })),
    ];
    for (const { type, name, operation } of resources) {
      if (operation === undefined) continue;
      await link.connection.report({ type, name, ends: operation.id, error: failure.message });
    }
  }

  async #connect(release: AgentsRelease): Promise<void> {
    this.#link = undefined;
    const facts = await clusterFacts(this.#api);
    const connection = await AgentConnection.open(this.#options.armUrl, release, facts, this.#signal);
    this.#log(`connected to Azure as ${release.resourceName}`);
    this.#link = new Link(connection, release, this.#api, (line) => this.#log(line), this.#signal);
  }

  async #disconnect(): Promise<void> {
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined) return;
    await link.connection.close().catch(() => undefined);
    if (!this.#signal.aborted) this.#log("the release of the agents is gone: not connected any more");
  }

  /** Waits, but not longer than until Azure has something new. */
  async #pause(ms: number): Promise<void> {
    const pause = sleep(ms, undefined, { signal: this.#signal }).catch(() => undefined);
    await Promise.race([pause, this.#link?.news ?? pause]);
  }

  #complain(error: unknown): void {
    if (this.#signal.aborted) return;
    // Azure knows the agents no more: it was started anew, or the cluster was deleted there.
    if (error instanceof ArmError && error.status === 401) this.#link = undefined;
    const line =
      error instanceof ArmError ? error.text : error instanceof Error ? error.message : String(error);
    if (line !== this.#complaint) this.#log(line);
    this.#complaint = line;
  }

  #log(line: string): void {
    this.#options.log(`agents on ${this.#options.context}: ${line}`);
  }
}

/** A connection, and what was heard over it last. */
class Link {
  readonly connection: AgentConnection;
  readonly release: AgentsRelease;
  readonly reconciler: ClusterReconciler;
  readonly #signal: AbortSignal;
  #last: AgentWork | undefined;
  #question: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(
    connection: AgentConnection,
    release: AgentsRelease,
    api: ClusterApi,
    log: (line: string) => void,
    signal: AbortSignal,
  ) {
    this.connection = connection;
    this.release = release;
    this.reconciler = new ClusterReconciler({ api, log, report: (report) => connection.report(report) });
    this.#signal = signal;
  }

  /** Resolves when Azure has something new. */
  get news(): Promise<void> | undefined {
    return this.#question;
  }

  /** What Azure wants at the moment. Rejects when the connection has failed. */
  async work(): Promise<AgentWork> {
    if (this.#failure !== undefined) {
      const failure = this.#failure;
      this.#failure = undefined;
      throw failure;
    }
    this.#last ??= await this.connection.work(-1, 0);
    const { revision } = this.#last;
    this.#question ??= this.connection
      .work(revision, 20)
      .then(
        (work) => {
          this.#last = work;
        },
        async (error: unknown) => {
          this.#failure = error instanceof Error ? error : new Error(String(error));
          await sleep(soon, undefined, { signal: this.#signal }).catch(() => undefined);
        },
      )
      .finally(() => {
        this.#question = undefined;
      });
    return this.#last;
  }
}

async function clusterFacts(api: ClusterApi): Promise<ClusterFacts> {
  const [version, nodes] = await Promise.all([api.request({ path: "/version" }), api.list("v1", "Node")]);
  const cores = nodes.map((node) => Number(asObject(asObject(node["status"])["capacity"])["cpu"] ?? 0));
  const { gitVersion } = version;
  return {
    kubernetesVersion: typeof gitVersion === "string" ? gitVersion.replace(/^v/, "") : "unknown",
    totalNodeCount: nodes.length,
    totalCoreCount: cores.reduce((sum, one) => sum + (one || 0), 0),
  };
}

import { createWriteStream } from "node:fs";
import path from "node:path";
import { makeFolder } from "../../makeFolder.ts";
import { startClusterAgent } from "./startClusterAgent.ts";

export interface AgentsOptions {
  /** Of the lab. */
  readonly dir: string;
  readonly armUrl: string;
  readonly kubeconfig: string;
  readonly contexts: readonly string[];
  /** Why the cluster of a context will not answer any more, once that is so. */
  readonly failure: (context: string) => Error | undefined;
}

/** Starts Azure's agents for every context of a kubeconfig; they tell what they do in `DIR/logs/agents.log`. */
export function startAgents(options: AgentsOptions): { stop(): Promise<void> } {
  const { dir, armUrl, kubeconfig, contexts } = options;
  const logs = path.join(dir, "logs");
  makeFolder(logs);
  const file = createWriteStream(path.join(logs, "agents.log"), { flags: "a" });
  // The folder may be removed while a line is on its way.
  file.on("error", () => undefined);
  const log = (line: string): void => {
    file.write(`${new Date().toISOString()} ${line}\n`);
  };
  const agents = contexts.map((context) =>
    startClusterAgent({ armUrl, kubeconfig, context, log, failure: () => options.failure(context) }),
  );
  return {
    async stop() {
      await Promise.all(agents.map((agent) => agent.stop()));
      file.end();
    },
  };
}

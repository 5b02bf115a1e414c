import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { ClusterTools } from "./cluster/clusterTools.ts";
import type { ClusterRequest, LabKubernetes } from "./cluster/labKubernetes.ts";
import { endLeftoverClusters } from "./cluster/leftoverClusters.ts";
import { removeTemporaryFolder } from "./cluster/temporaryFolder.ts";
import { startAzure } from "./azure/startAzure.ts";
import { labEnvironment } from "./environment.ts";
import type { GitServer } from "./gitServer.ts";
import { startGitServer } from "./gitServer.ts";
import { takeLock } from "./lock.ts";
import type { Ports } from "./memory.ts";
import { keepToken, notePorts, recallPorts } from "./memory.ts";
import { seedRepository } from "./seedRepository.ts";
import type { RunningProvider } from "./startProvider.ts";
import { startProvider } from "./startProvider.ts";
import { findClusterTools } from "./tools/find.ts";
import { findTools } from "./tools.ts";

export { registerConnectedCluster } from "./azure/registerConnectedCluster.ts";

/** The clone this lab belongs to. */
export const root = path.dirname(import.meta.dirname);

export interface LabOptions {
  /** Where everything of the lab is kept. Made when it is not there. */
  readonly dir: string;
  /** Environment to start from. Defaults to that of this process; what would lead out of the lab is removed. */
  readonly env?: NodeJS.ProcessEnv;
  /** Gets a line for what the user should know. Defaults to nothing. */
  readonly log?: (line: string) => void;
  /** Token of the Git server. Defaults to a random one, kept in DIR. */
  readonly gitToken?: string;
  /** Path to content of what a new repository holds beside its README. Defaults to nothing. */
  readonly manifests?: Readonly<Record<string, string>>;
  /** Clusters with Flux to start, in place of the stand-in for Kubernetes. */
  readonly clusters?: readonly ClusterRequest[];
  /** Instead: a kubeconfig of clusters that are there, with Flux on them. Nothing is started or installed. */
  readonly kubeconfig?: string;
  /** Contexts of that kubeconfig to use. Defaults to its current one. */
  readonly contexts?: readonly string[];
  /** Programs for either. Defaults to those that set-up brought. */
  readonly clusterTools?: ClusterTools;
}

/** A running lab. */
export interface Lab {
  /** Absolute. */
  readonly dir: string;
  /** The complete environment for commands in the lab. */
  readonly env: Record<string, string>;
  readonly repositoryUrl: string;
  /** The bare repository behind the URL. */
  readonly gitDir: string;
  /** The real Kubernetes, when one was asked for. */
  readonly kubernetes?: LabKubernetes;
  /**
   * Ends every process, closes every port and gives the folder free. The logs of clusters go, but those of one that
   * failed, and with `keepLogs` all stay. May be called twice.
   */
  stop(options?: { readonly keepLogs?: boolean }): Promise<void>;
}

/**
 * Starts the stand-ins for Azure, TLS keys and Kubernetes, or real clusters instead of the last, and a Git server, all on
 * loopback. Throws LabInUse when
 * a lab already runs in the folder, and an error with the next step when there is no engine; nothing is left running
 * then.
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const dir = path.resolve(options.dir);
  const { env: base = process.env, log = () => undefined } = options;
  const tools = findTools(root, base);
  const isReal = options.clusters !== undefined || options.kubeconfig !== undefined;
  const kubernetesTools = isReal ? (options.clusterTools ?? findClusterTools(root, base)) : undefined;
  const release = takeLock(dir);
  const closers: ((options?: { readonly keepLogs?: boolean }) => Promise<void>)[] = [];
  const stop = async (how?: { readonly keepLogs?: boolean }): Promise<void> => {
    await Promise.all(closers.splice(0).map((close) => close(how)));
    removeTemporaryFolder(dir);
    release();
  };
  try {
    await endLeftoverClusters(dir);
    if (options.clusters !== undefined && hasStacks(dir)) {
      log(
        `The clusters are new and empty: run \`pulumi refresh\` first on a stack that an earlier lab in ${dir} has left.`,
      );
    }
    removeTemporaryFolder(dir);
    const token = keepToken(dir, options.gitToken);
    const gitDir = path.join(dir, "git", "fleet.git");
    await seedRepository(gitDir, "main", options.manifests);
    const old = recallPorts(dir);
    const azure = await startAzure(dir, old.arm, base, log);
    let agents: { stop(): Promise<void> } | undefined;
    closers.push(async () => {
      // They tell Azure that they are gone.
      await agents?.stop();
      await azure.close();
    });
    const provider = async (name: "azure-native" | "tls" | "kubernetes"): Promise<RunningProvider> => {
      const arm = name !== "tls" && { arm: azure.url };
      const started = await startProvider({ name, dir, port: old[name], env: base, log, ...arm });
      closers.push(() => started.stop());
      return started;
    };
    const cluster = async (programs: ClusterTools): Promise<LabKubernetes> => {
      // Loaded only here: the client of the Kubernetes API takes a moment.
      const { startLabKubernetes } = await import("./cluster/labKubernetes.ts");
      const started = await startLabKubernetes({ ...options, dir, tools: programs, env: base, log });
      const { startAgents } = await import("./azure/agent/startAgents.ts");
      const { kubeconfig, contexts, clusters } = started;
      const failure = (context: string): Error | undefined =>
        clusters.find((one) => one.context === context)?.failure();
      const working = startAgents({ dir, armUrl: azure.url, kubeconfig, contexts, failure });
      agents = working;
      closers.push(async (how) => {
        await working.stop();
        await started.stop(how);
      });
      return started;
    };
    const real = kubernetesTools && cluster(kubernetesTools);
    const git = startGit(path.join(dir, "git"), token, old.git, log).then((server) => {
      closers.push(() => server.close());
      return server;
    });
    // All of them, also when one fails: what has started by then must be known to `stop`.
    const all = await Promise.allSettled([
      provider("azure-native"),
      provider("tls"),
      real === undefined ? provider("kubernetes") : undefined,
      git,
      real,
    ]);
    const failed = all.find((one) => one.status === "rejected");
    if (failed) throw failed.reason as Error;
    const [azureNative, tls, standIn, server] = all.map(
      (one) => (one as PromiseFulfilledResult<{ port: number } | undefined>).value,
    );
    const ports: Ports = {
      "azure-native": azureNative?.port ?? 0,
      tls: tls?.port ?? 0,
      ...(standIn && { kubernetes: standIn.port }),
      git: server?.port ?? 0,
      arm: azure.port,
    };
    notePorts(dir, { ...old, ...ports });
    const kubernetes = await real;
    const repositoryUrl = `${(await git).url}/fleet.git`;
    return {
      dir,
      env: labEnvironment({
        ...{ dir, root, base, tools, ports, repositoryUrl, token, armUrl: azure.url },
        ...(kubernetesTools && kubernetes && { kubernetes: { ...kubernetesTools, ...kubernetes } }),
      }),
      repositoryUrl,
      gitDir,
      ...(kubernetes && { kubernetes }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Whether the lab's Pulumi backend holds a stack with anything in it. */
function hasStacks(dir: string): boolean {
  const stacks = path.join(dir, "state", ".pulumi", "stacks");
  if (!existsSync(stacks)) return false;
  return readdirSync(stacks, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && entry.name.endsWith(".json"),
  );
}

async function startGit(
  folder: string,
  token: string,
  port: number | undefined,
  log: (line: string) => void,
): Promise<GitServer> {
  const options = { root: folder, token, anonymousRead: true };
  if (port === undefined) return startGitServer(options);
  try {
    return await startGitServer({ ...options, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    log(
      `Port ${port} of the Git server is taken by another process; it gets another one. Stacks of this lab will show a changed repository URL.`,
    );
    return startGitServer(options);
  }
}

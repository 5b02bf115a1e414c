import path from "node:path";
import { labEnvironment } from "./environment.ts";
import type { GitServer } from "./gitServer.ts";
import { startGitServer } from "./gitServer.ts";
import { takeLock } from "./lock.ts";
import type { Ports } from "./memory.ts";
import { keepToken, notePorts, recallPorts } from "./memory.ts";
import { seedRepository } from "./seedRepository.ts";
import type { RunningProvider } from "./startProvider.ts";
import { startProvider } from "./startProvider.ts";
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
  /** Ends every process, closes every port and gives the folder free. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the stand-ins for Azure, TLS keys and Kubernetes, and a Git server, all on loopback. Throws LabInUse when
 * a lab already runs in the folder, and an error with the next step when there is no engine; nothing is left running
 * then.
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const dir = path.resolve(options.dir);
  const { env: base = process.env, log = () => undefined } = options;
  const tools = findTools(root, base);
  const release = takeLock(dir);
  const closers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(closers.splice(0).map((close) => close()));
    release();
  };
  try {
    const token = keepToken(dir, options.gitToken);
    const gitDir = path.join(dir, "git", "fleet.git");
    await seedRepository(gitDir, "main");
    const old = recallPorts(dir);
    const provider = async (name: "azure-native" | "tls" | "kubernetes"): Promise<RunningProvider> => {
      const started = await startProvider({ name, dir, port: old[name], env: base, log });
      closers.push(() => started.stop());
      return started;
    };
    const git = startGit(path.join(dir, "git"), token, old.git, log).then((server) => {
      closers.push(() => server.close());
      return server;
    });
    // All of them, also when one fails: what has started by then must be known to `stop`.
    const all = await Promise.allSettled([
      provider("azure-native"),
      provider("tls"),
      provider("kubernetes"),
      git,
    ]);
    const failed = all.find((one) => one.status === "rejected");
    if (failed) throw failed.reason as Error;
    const [azure, tls, kubernetes, server] = all.map(
      (one) => (one as PromiseFulfilledResult<{ port: number }>).value,
    );
    const ports: Ports = {
      "azure-native": azure?.port ?? 0,
      tls: tls?.port ?? 0,
      kubernetes: kubernetes?.port ?? 0,
      git: server?.port ?? 0,
    };
    notePorts(dir, ports);
    const repositoryUrl = `${(await git).url}/fleet.git`;
    return {
      dir,
      env: labEnvironment({ dir, root, base, tools, ports, repositoryUrl, token }),
      repositoryUrl,
      gitDir,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
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

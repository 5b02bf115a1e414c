import path from "node:path";
import { pathToFileURL } from "node:url";
import { makeFolder } from "./makeFolder.ts";
import { placeLanguageHost } from "./placeLanguageHost.ts";
import { kubectlFolder } from "./cluster/kubectlFolder.ts";
import { placeProvider } from "./cluster/placeProvider.ts";
import { makeTemporaryFolder, temporaryFolder } from "./cluster/temporaryFolder.ts";
import type { Ports } from "./memory.ts";
import type { LabTools } from "./tools.ts";

/** Variables of the user's that would lead a run out of the lab, or change what it does there. */
const removed =
  /^(PULUMI_|ARM_|AZURE_|ARCFLUX_|HELM_|KUBECONFIG$|GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|CEILING_DIRECTORIES|ASKPASS|CONFIG)|SSH_ASKPASS$)/i;

/** Those of them that are harmless: they tune the engine, or are meant for the lab. */
const kept = new Set([
  "PULUMI_PARALLEL",
  "PULUMI_SKIP_CHECKPOINTS",
  "PULUMI_DEBUG_GRPC",
  "PULUMI_ERROR_OUTPUT_STRING",
  "ARCFLUX_LAB_ASSUME_CLUSTERS",
]);

export interface EnvironmentOptions {
  readonly dir: string;
  /** The clone. */
  readonly root: string;
  readonly base: NodeJS.ProcessEnv;
  readonly tools: LabTools;
  readonly ports: Ports;
  readonly repositoryUrl: string;
  readonly token: string;
  /** Of the lab's Azure. */
  readonly armUrl: string;
  /** The real Kubernetes in place of the stand-in, with the provider's program. */
  readonly kubernetes?: { readonly kubeconfig: string; readonly kubernetesProvider: string };
}

/** The complete environment of a command in the lab. Makes the folders it names. */
export function labEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { dir, root, ports } = options;
  const [home, state] = [path.join(dir, "pulumi-home"), path.join(dir, "state")];
  for (const folder of [home, state]) makeFolder(folder);
  placeLanguageHost(home, root, options.tools.stockLanguageHost);
  const standIns = (["azure-native", "tls", "kubernetes"] as const).filter(
    (name) => name !== "kubernetes" || options.kubernetes === undefined,
  );
  const debug = standIns.map((name) => `${name}:${ports[name]}`);
  if (options.kubernetes) {
    placeProvider(home, options.kubernetes.kubernetesProvider);
    makeTemporaryFolder(dir);
  }
  const folders = [...options.tools.folders, ...(options.kubernetes ? [kubectlFolder(dir)] : [])];
  const base = cleanEnvironment(options.base);
  return {
    ...base,
    PATH: [...folders, base["PATH"] ?? ""].join(path.delimiter),
    ...loopbackWithoutProxy(base),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    // Nothing in a lab is worth a secret, and a state must open again at the next start.
    PULUMI_CONFIG_PASSPHRASE: "lab",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    PULUMI_DEBUG_PROVIDERS: debug.join(","),
    ...(options.kubernetes && kubernetesVariables(dir, options.kubernetes.kubeconfig)),
    ARCFLUX_LAB_DIR: dir,
    // Not ARCFLUX_CACHE_DIR, which also holds the tools that set-up has built.
    ARCFLUX_GIT_CACHE_DIR: path.join(dir, "git-cache"),
    ARCFLUX_LAB_ARM_URL: options.armUrl,
    // The program, too, asks Azure what is there.
    ARCFLUX_ARM_ENDPOINT: options.armUrl,
    ARCFLUX_REPOSITORY_URL: options.repositoryUrl,
    ARCFLUX_GIT_TOKEN: options.token,
    ARCFLUX_AGENTS_CHART: path.join(root, "lab", "agents-chart"),
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** The variables of `env` that may enter a lab. */
export function cleanEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).filter(([name]) => !removed.test(name) || kept.has(name));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** What leads kubectl, and Helm in the provider, to the lab's clusters, and keeps their caches in its folder. */
function kubernetesVariables(dir: string, kubeconfig: string): Record<string, string> {
  const below = (name: string): string => path.join(dir, "kubernetes-cache", name);
  return {
    KUBECONFIG: kubeconfig,
    TMPDIR: temporaryFolder(dir),
    KUBECACHEDIR: below("kubectl"),
    HELM_CACHE_HOME: below("helm-cache"),
    HELM_CONFIG_HOME: below("helm-config"),
    HELM_DATA_HOME: below("helm-data"),
  };
}

/** A proxy set for the network must not get what goes to the lab's own ports. */
function loopbackWithoutProxy(env: Record<string, string>): Record<string, string> {
  const given = env["NO_PROXY"] ?? env["no_proxy"];
  const value = [...(given === undefined || given === "" ? [] : [given]), "127.0.0.1", "localhost"].join(",");
  return { NO_PROXY: value, no_proxy: value };
}

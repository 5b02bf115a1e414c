/**
 * The resolved fleet: what is left of a fleet file once defaults, shared sets and clusters are merged.
 * Plain values only; everything downstream (flux/, components/, cli/) reads these types and nothing else of fleet/.
 */

/** How clusters read the repository: without credentials, with an HTTPS user and token, or with an SSH key. */
export const accessKinds = ["public", "token", "ssh"] as const;
export type Access = (typeof accessKinds)[number];

/** `install`: Arcflux connects the cluster to Azure Arc. `present`: it is connected already. */
export const agentsModes = ["install", "present"] as const;
export type AgentsMode = (typeof agentsModes)[number];

/** The GitOps repository. */
export interface Repository {
  /** URL that clusters fetch from and Arcflux pushes to, without credentials. */
  readonly url: string;
  /** Branch that generated files are committed to and clusters follow. */
  readonly branch: string;
  readonly access: Access;
  /** Author and committer of generated commits. */
  readonly commit: { readonly name: string; readonly email: string };
}

/** Where the credentials of a cluster come from: a context of the user's kubeconfig, or a stack config secret. */
export type Kubeconfig = { readonly context: string } | { readonly config: string };

/** Azure's part of a cluster. */
export interface Arc {
  readonly resourceGroup: string;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Timing of the bootstrap Kustomization; durations as Flux writes them, such as `10m` or `1h30m`. */
export interface Bootstrap {
  readonly interval: string;
  readonly retryInterval: string;
  readonly timeout: string;
  readonly prune: boolean;
  readonly wait: boolean;
  readonly force: boolean;
}

/** One application set of one cluster: the spec of one Flux Kustomization, with every default applied. */
export interface ClusterSet {
  /** Name of the Kustomization on the cluster and, with `.yaml`, of its file. */
  readonly name: string;
  /** Folder of manifests, from the root of the repository: `./apps/pos`. */
  readonly path: string;
  readonly interval: string;
  readonly retryInterval?: string;
  readonly timeout?: string;
  readonly prune: boolean;
  readonly force?: boolean;
  readonly wait?: boolean;
  readonly targetNamespace?: string;
  /** Names of sets of the same cluster, in the order of the fleet file. */
  readonly dependsOn: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** postBuild.substitute: always strings, taken from the source text. */
  readonly substitute: Readonly<Record<string, string>>;
}

/** One edge cluster, with everything it needs resolved. */
export interface Cluster {
  readonly name: string;
  /** Labels that a selector in stack config `arcflux:clusters` matches. */
  readonly labels: Readonly<Record<string, string>>;
  readonly agents: AgentsMode;
  readonly kubeconfig?: Kubeconfig;
  readonly arc: Arc;
  /** Name of the Flux configuration and of its GitRepository on the cluster. */
  readonly config: string;
  readonly bootstrap: Bootstrap;
  readonly flux: { readonly version: string; readonly lockdown: boolean };
  /** Cluster folder, such as `clusters/edge-device-0`: no leading `./`, no trailing slash. */
  readonly folder: string;
  /** Flux folder, such as `clusters/edge-device-0/flux`. */
  readonly fluxFolder: string;
  /** Sorted by name. */
  readonly sets: readonly ClusterSet[];
}

/** A whole fleet. */
export interface Fleet {
  readonly repository: Repository;
  /** In the order of the fleet file. */
  readonly clusters: readonly Cluster[];
}

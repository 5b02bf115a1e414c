/**
 * The resolved fleet: what is left of a fleet file, and of those it includes, once defaults, shared sets, stages,
 * groups and clusters are merged. Plain values only; everything downstream (flux/, checks/, components/, cli/) reads
 * these types and nothing else of fleet/.
 */

import type { Device } from "./device.ts";
import type { ArcConnection } from "./connection.ts";
import type { Removal } from "./removal.ts";

/** How clusters read the repository: without credentials, with an HTTPS user and token, or with an SSH key. */
export const accessKinds = ["public", "token", "ssh"] as const;
export type Access = (typeof accessKinds)[number];

/** `install`: Arcflux connects the cluster to Azure Arc. `present`: it is connected already. */
export const agentsModes = ["install", "present"] as const;
export type AgentsMode = (typeof agentsModes)[number];

/** `arc`: through Azure. `kubernetes`: Flux runs there already, and the two objects are created directly. */
export const platforms = ["arc", "kubernetes", "none"] as const;
export type Platform = (typeof platforms)[number];

/**
 * `retired`: the next update takes the protection off, so that the cluster can be dropped after it. `lost`: so it does,
 * and the cluster, whose hardware is gone, is asked nothing when it is dropped.
 */
export const lifecycles = ["active", "retired", "lost"] as const;
export type Lifecycle = (typeof lifecycles)[number];

/** `management`: Cluster API runs there and makes clusters. `workload`: it is made by one that does. */
export const roles = ["management", "workload"] as const;
export type Role = (typeof roles)[number];

/** Namespace of every generated object, which is the one that Azure's Flux extension works in. */
export const fluxNamespace = "flux-system";

/** How generated files reach their branch. */
export const deliveryModes = ["push", "pullRequest"] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

/** Where a branch that is missing starts: at the default branch's tip, or without history. */
export const branchOrigins = ["fromDefault", "orphan"] as const;
export type BranchOrigin = (typeof branchOrigins)[number];

/** Interfaces for pull requests; `git` has none, so that the side branch alone is pushed. */
export const pullRequestHosts = ["github", "gitlab", "azureDevOps", "git"] as const;
export type PullRequestHost = (typeof pullRequestHosts)[number];

export const signatureFormats = ["ssh", "openpgp"] as const;
export type SignatureFormat = (typeof signatureFormats)[number];

interface Person {
  readonly name: string;
  readonly email: string;
}

/** The GitOps repository. */
export interface Repository {
  /** URL that clusters fetch from and Arcflux pushes to, without credentials. */
  readonly url: string;
  /** Branch that generated files are committed to. */
  readonly branch: string;
  readonly access: Access;
  readonly mode: DeliveryMode;
  readonly pullRequest?:
    | {
        readonly branch?: string | undefined;
        readonly host?: PullRequestHost | undefined;
        readonly apiUrl?: string | undefined;
        readonly title?: string | undefined;
      }
    | undefined;
  readonly createBranch?: BranchOrigin | undefined;
  /** Day on which the Git token ends, YYYY-MM-DD. */
  readonly expires?: string | undefined;
  /** Absolute path. */
  readonly caFile?: string | undefined;
  /** Author of generated commits; also the committer where none is given. */
  readonly commit: Person & {
    /** Template of the message; names in braces are filled in. */
    readonly message?: string | undefined;
    /** What a commit holds: all that goes out together, or the files of one cluster. */
    readonly per: "push" | "cluster";
    readonly committer?: Person | undefined;
    /** Asks for signed commits; the key comes from `keyFile` (absolute) or from the environment. */
    readonly signing?:
      { readonly format?: SignatureFormat | undefined; readonly keyFile?: string | undefined } | undefined;
  };
}

/** Where the credentials of a cluster come from: a context of the user's kubeconfig, or a stack config secret. */
export type Kubeconfig = { readonly context: string } | { readonly config: string };

/** Azure's part of a cluster. */
export interface Arc {
  /** Of the connected cluster: what Azure calls it. */
  readonly name: string;
  /** Where it is not that of the login. */
  readonly subscription?: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly extension?: ExtensionSettings;
  readonly connection: ArcConnection;
}

/** CPU and memory as Kubernetes writes them. */
interface Amounts {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

/** What the fleet file says of Azure's Flux extension. */
export interface ExtensionSettings {
  /** Version that it is held at; without it Azure upgrades it by itself. */
  readonly version?: string | undefined;
  readonly releaseTrain?: "Stable" | "Preview" | undefined;
  /** Whether a controller that can be off is on, by its name. */
  readonly controllers?: Readonly<Record<string, boolean | undefined>> | undefined;
  readonly resources?:
    | Readonly<
        Record<
          string,
          { readonly limits?: Amounts | undefined; readonly requests?: Amounts | undefined } | undefined
        >
      >
    | undefined;
  readonly strictSubstitution?: boolean | undefined;
  readonly workloadIdentity?:
    { readonly clientId?: string | undefined; readonly tenantId?: string | undefined } | undefined;
  /** By Azure's own names. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
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

/** A plain value of YAML, as it stands in a Flux object. */
export type Plain =
  string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain | undefined };
export type PlainMap = { readonly [key: string]: Plain | undefined };

export const sourceKinds = ["GitRepository", "OCIRepository", "Bucket", "ExternalArtifact"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** Where a set takes its manifests from. */
export interface SourceRef {
  /** Only where the fleet file states one. */
  readonly apiVersion?: string;
  readonly kind: SourceKind;
  readonly name: string;
  readonly namespace?: string;
}

/** A source that a set of the cluster takes, with the cluster's pin applied and `url: self` resolved. */
export interface Source {
  /** Its key in `sources`; the object on the cluster has the same name. */
  readonly name: string;
  readonly kind: Exclude<SourceKind, "ExternalArtifact">;
  /** Spec of the Flux object, by Flux's own field names. */
  readonly spec: PlainMap;
  /** Whether it is the fleet's own repository (`url: self`), so that it needs the same credentials. */
  readonly self: boolean;
}

/** A time at which a window is open, on the days that three fields of cron name. */
export interface Span {
  /** Minute of the day at which it opens, a multiple of ten. */
  readonly opens: number;
  /** Minutes until it closes, a multiple of ten and at most a day. */
  readonly lasts: number;
  readonly days: { readonly day: string; readonly month: string; readonly weekday: string };
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/** When a CronJob runs. */
export interface Schedule {
  /** Cron expression of five fields. */
  readonly schedule: string;
  readonly timeZone: string;
}

/** What the jobs of windows need to run on a cluster. */
export interface WindowJobs {
  /** Image with kubectl, with a tag or digest. */
  readonly image: string;
  /** Name of a Secret in flux-system to pull it with. */
  readonly pullSecret?: string | undefined;
  readonly tolerations?: readonly PlainMap[] | undefined;
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  readonly resources?: PlainMap | undefined;
}

/** A time without changes, first and last day included. */
export interface Freeze {
  readonly name: string;
  /** Calendar dates `YYYY-MM-DD`. */
  readonly from: string;
  readonly until: string;
  readonly reason: string;
  /** Whether updates of the cluster stop too. */
  readonly liveSets: boolean;
}

/** A maintenance window of a cluster, be there sets in it or not. */
export interface Window {
  readonly name: string;
  readonly spans: readonly Span[];
  /** Minutes before the end of a span after which nothing is fetched any more. */
  readonly settle: number;
  /** When it fetches. */
  readonly pulses: readonly Schedule[];
  /** The fleet's repository, as the sets of the window take it. */
  readonly source: Source;
  readonly jobs: WindowJobs;
}

/** A team that works in namespaces of its own. */
export interface Tenant {
  readonly name: string;
  /** Namespaces that are made for it, sorted. */
  readonly namespaces: readonly string[];
  /** ClusterRole that its account has in them. */
  readonly role: string;
  /** Labels of its namespaces. */
  readonly labels: Readonly<Record<string, string>>;
  /** Keys of `sources` that its sets may take beside the fleet's own repository. */
  readonly sources: readonly string[];
}

/** Why a set is suspended by hand. */
export interface Suspension {
  readonly reason: string;
  /** Calendar date `YYYY-MM-DD` after which a warning reminds of it. */
  readonly until?: string;
}

/** Why nothing new reaches a cluster. */
export interface ClusterSuspension {
  readonly reason: string;
  /** Last day of it, YYYY-MM-DD. */
  readonly until?: string | undefined;
  /** By the files in Git alone; else the bootstrap is suspended where it was made. */
  readonly through?: "git" | undefined;
}

/** One entry of dependsOn: a set of the same cluster, or an external Kustomization that Arcflux does not make. */
export interface Dependency {
  readonly name: string;
  readonly namespace?: string;
  readonly readyExpr?: string;
  /** Said in the fleet file: it exists on the cluster without being a set. Never rendered. */
  readonly external?: boolean;
}

/** One application set of one cluster: one Flux Kustomization, with every default applied. */
export interface ClusterSet {
  /** Name of the Kustomization on the cluster and, with `.yaml`, of its file. */
  readonly name: string;
  /** Its namespace, where that is not flux-system. */
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Name of one of the cluster's windows; what is committed reaches the set only while that is open. */
  readonly window?: string;
  readonly suspension?: Suspension;
  /** Whether what runs in it is stopped; its last patches do that. */
  readonly idle?: true;
  /** Name of one of the cluster's tenants, as which it is applied. */
  readonly tenant?: string;
  readonly dependsOn: readonly Dependency[];
  readonly sourceRef: SourceRef;
  /**
   * Every other field of the spec by Flux's own names, path included (`./apps/pos`); neither dependsOn, sourceRef nor
   * suspend, which stand above. postBuild.substitute holds the variables, always strings from the source text.
   */
  readonly spec: PlainMap & { readonly path: string; readonly interval: string; readonly prune: boolean };
}

/** A notification provider with its alert, for one cluster. */
export interface Alert {
  readonly name: string;
  /** Spec of the Provider, by Flux's own field names. */
  readonly provider: PlainMap & { readonly type: string };
  /** Spec of the Alert without providerRef and eventSources, which are generated. */
  readonly spec: PlainMap;
  /** Names of the sets it reports on. */
  readonly sets: readonly string[];
  /** Whether it reports on whatever else Flux does on the cluster too, since the fleet file names no sets. */
  readonly everything?: boolean;
}

/** What a patch of an app is merged over: kind and name, also group, version, namespace and selectors. */
export type PatchTarget = PlainMap & { readonly kind: string; readonly name: string };

/** One patch of an app. */
export interface AppPatch {
  readonly target: PatchTarget;
  /** Merged over the target, as kustomize does: null takes a field of the manifest away. */
  readonly patch: PlainMap;
}

/** An application that the cluster takes from the fleet's apps, customised by patches. */
export interface App {
  readonly name: string;
  /** In the order in which they are applied; absent where nothing is customised. */
  readonly patches?: readonly AppPatch[];
  /** What apps/kustomization.yaml lists for it, relative to the apps folder of the cluster. */
  readonly resource: string;
}

/** How a secret gets to its clusters. */
export const deliveries = ["git", "pulumi", "externalSecrets", "csi"] as const;
export type Delivery = (typeof deliveries)[number];

/** Where a value comes from, with all placeholders filled in. */
export type ValueSource =
  | { readonly config: string }
  | { readonly env: string }
  | { readonly keyVault: { readonly vault: string; readonly secret: string } }
  /** `file` is relative to the fleet file; dots of `key` lead into maps. */
  | { readonly sops: { readonly file: string; readonly key: string } };

/** A Secret of a cluster. */
export interface ClusterSecret {
  /** Its key in `secrets`, and with `.yaml` its file. */
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly type: string;
  /** `external`: it is there without Arcflux. */
  readonly deliver: Delivery | "external";
  /** By key of the Secret; those of a version that is going end in `.previous`. */
  readonly keys: Readonly<Record<string, ValueSource>>;
  /** Workload identity, where the cluster fetches the values itself. */
  readonly identity?: { readonly clientId: string; readonly tenantId: string };
  /** `version/previous` while both are delivered. */
  readonly rotation?: string;
}

/** When the clusters of a stage count as ready: how many percent of them are, and how many may fail. */
export interface Readiness {
  readonly share: number;
  readonly failing: number;
}

/** Who says yes to a promotion, beside its gates. */
export const approvals = ["pullRequest"] as const;
export type Approval = (typeof approvals)[number];

/** A stage: a branch that clusters follow, and what a promotion to it has to pass. */
export interface Stage {
  readonly name: string;
  readonly branch: string;
  /** The stage that it takes from; what is committed to, where absent. */
  readonly after?: string;
  /** Seconds that the stage before must have had a commit. */
  readonly soak: number;
  /** Commit statuses that the host must show. */
  readonly checks: readonly string[];
  readonly approval?: Approval;
  /** Whether a change that reaches it needs a word before; `arcflux impact` says so. */
  readonly production: boolean;
  /** Set for a part of a stage with rings; the last one is called what the stage is. */
  readonly ring?: { readonly stage: string; readonly name: string };
  /** Fields that may differ from the stage before, such as `sets.pos.interval`. */
  readonly mayDiffer: readonly string[];
  /** What the stage itself says of its clusters, as the fleet file has it; without variables and pins. */
  readonly definitions: PlainMap;
}

/** One edge cluster, with everything it needs resolved. */
export interface Cluster {
  readonly name: string;
  /** Labels that groups, alerts and a selector in stack config `arcflux:clusters` match. */
  readonly labels: Readonly<Record<string, string>>;
  /** Values for the templates of `layout`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly stage?: string;
  /** Its part of the stage, where that has parts. */
  readonly ring?: string;
  /** Name that the cluster had before. */
  readonly formerly?: string;
  /** What it is to Cluster API, where that makes clusters. */
  readonly role?: Role;
  /** The management cluster that makes it, and brings Flux to it by a pack: then no update reaches the cluster itself. */
  readonly managedBy?: string;
  /** Clusters of the whole fleet that it makes; present on management clusters. */
  readonly manages?: readonly string[];
  /** When the clusters of its stage count as ready, where the stage says so. */
  readonly ready?: Readiness;
  /** Branch that the cluster follows: its ring's or its stage's, or the one that is committed to. */
  readonly follows: string;
  /** The stage before its own, by `after`, and the branch of that: what its files come from by promotion. */
  readonly promotedFrom?: { readonly stage: string; readonly branch: string };
  readonly platform: Platform;
  readonly lifecycle: Lifecycle;
  readonly agents: AgentsMode;
  /** Which device of this name it is: 1 is the first. */
  readonly hardware: number;
  /** Whether Flux that Azure has on it already is taken over. */
  readonly adopts?: true;
  readonly kubeconfig?: Kubeconfig;
  /** The virtual machine that the program makes for it; its kubeconfig comes from there. */
  readonly device?: Device;
  readonly arc: Arc;
  /** Name of the Flux configuration and of its GitRepository on the cluster. */
  readonly config: string;
  readonly bootstrap: Bootstrap;
  /** Where the token or key comes from that it reads the repository with; absent where stack config has it. */
  readonly credentials?: ValueSource;
  /** User name beside the token. */
  readonly repositoryUser?: string;
  /** How often it fetches the repository. */
  readonly fetchInterval: string;
  readonly suspension?: ClusterSuspension;
  /** Whether its sets are idle, but for those that say otherwise. */
  readonly idle?: true;
  readonly flux: FluxOnCluster;
  /** Cluster folder, such as `clusters/edge-device-0`: no leading `./`, no trailing slash. */
  readonly folder: string;
  /** Flux folder, such as `clusters/edge-device-0/flux`. */
  readonly fluxFolder: string;
  /** Folder of the cluster's own sets, such as `clusters/edge-device-0/sets`. */
  readonly setsFolder: string;
  /** Sorted by name, as are the lists below. */
  readonly sets: readonly ClusterSet[];
  readonly sources: readonly Source[];
  readonly windows: readonly Window[];
  readonly tenants: readonly Tenant[];
  /** The freeze that holds today. */
  readonly freeze?: Freeze;
  readonly alerts: readonly Alert[];
  readonly apps: readonly App[];
  /** Absent where the fleet file declares no secrets at all: then nothing is known of what is there. */
  readonly secrets?: readonly ClusterSecret[];
  /** Public key of age; absent until the private key is on the cluster. */
  readonly recipient?: string;
  /** All public keys of the fleet, other clusters' among them; absent without any. */
  readonly knownRecipients?: ReadonlySet<string>;
  /** Public keys that read what is encrypted for the cluster too; absent without any. */
  readonly coRecipients?: readonly string[];
}

/** What Flux a cluster runs. */
export interface FluxOnCluster {
  /** Minor version, such as `2.7`. */
  readonly version: string;
  readonly lockdown: boolean;
  /** Whether the cluster takes Flux and its first objects from the repository, and no update reaches it. */
  readonly syncsItself?: true;
  /** What Arcflux installs; undefined where others have installed Flux. */
  readonly install?: FluxManifestsPlace;
}

/** Where the manifests of Flux are. */
export interface FluxManifestsPlace {
  /** A file, from the folder of the fleet file, or a URL. */
  readonly manifests: string;
  /** The checksum that they must have. */
  readonly sha256?: string;
}

/** A whole fleet. */
export interface Fleet {
  readonly repository: Repository;
  /** Templates of folders: of a cluster and an app, from the root; of its flux folder, below the cluster's. */
  readonly layout: { readonly cluster: string; readonly flux: string; readonly apps: string };
  /** In the order of the fleet file, as are the clusters. */
  readonly stages: readonly Stage[];
  /** What may happen at once. */
  readonly limits?: { readonly clustersPerUpdate?: number | undefined };
  readonly clusters: readonly Cluster[];
  /** Clusters without Flux (`platform: none`), which `arcflux apply` alone takes: no other part of a fleet is about them. */
  readonly withoutFlux: readonly Cluster[];
  /** Deletions that the fleet file confirms, in its order. */
  readonly removed: readonly Removal[];
  /** Judgements whose warnings are not to be heard, by name. */
  readonly ignore: readonly string[];
}

/** Whether two sets of a cluster come from the same source, and with it from the same revision. */
export function sameSource(one: ClusterSet, other: ClusterSet): boolean {
  const [a, b] = [one.sourceRef, other.sourceRef];
  return (
    one.window === other.window &&
    a.kind === b.kind &&
    a.name === b.name &&
    (a.namespace ?? fluxNamespace) === (b.namespace ?? fluxNamespace)
  );
}

/** Namespace of the Kustomization of a set. */
export function namespaceOf({ namespace = fluxNamespace }: Pick<ClusterSet, "namespace">): string {
  return namespace;
}

/** A Kustomization by its name alone in flux-system, where nearly all are; policies know the fleet's and Git's by it. */
export function kustomizationName(name: string, namespace = fluxNamespace): string {
  return namespace === fluxNamespace ? name : `${namespace}/${name}`;
}

/** Namespaces that sets of a cluster are in beside flux-system, sorted. */
export function setNamespaces({ sets }: Pick<Cluster, "sets">): string[] {
  return [...new Set(sets.flatMap(({ namespace }) => namespace ?? []))].sort();
}

/** Whether a set takes its manifests from the fleet's own repository, at whatever revision. */
export function isOwnSource(
  { config, sources }: Pick<Cluster, "config" | "sources">,
  set: ClusterSet,
): boolean {
  const { kind, name, namespace = fluxNamespace } = set.sourceRef;
  if (kind !== "GitRepository" || namespace !== fluxNamespace) return false;
  return (
    name === config || sources.some((one) => one.kind === "GitRepository" && one.name === name && one.self)
  );
}

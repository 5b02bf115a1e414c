import type { ClusterApi, KubernetesObject, ObjectRef } from "../../lab/cluster/clusterApi.ts";
import type { ClusterRequest, LabKubernetes } from "../../lab/cluster/labKubernetes.ts";
import { waitUntil } from "../../lab/cluster/waitUntil.ts";
import { startTestLab, type TestLab } from "./lab.ts";

/** The two clusters of a spec: one with the newest kustomize-controller, one with that of Azure's Flux extension. */
export const bothVersions = [
  { name: "edge-newest", kustomizeController: "newest" },
  { name: "edge-azure", kustomizeController: "azure" },
] as const satisfies readonly ClusterRequest[];

/** A lab with real clusters, of one spec file's own. */
export interface ClusterLab extends TestLab {
  readonly kubernetes: LabKubernetes;
}

export async function startClusterLab(clusters: readonly ClusterRequest[]): Promise<ClusterLab> {
  const test = await startTestLab({ clusters });
  const { kubernetes } = test.lab;
  if (kubernetes === undefined) throw new Error("The lab has no clusters.");
  return { ...test, kubernetes };
}

/** One cluster, as a spec looks at it. */
export class OnCluster {
  readonly name: string;
  readonly api: ClusterApi;
  readonly #config: string;
  readonly #failure: () => Error | undefined;

  constructor({ kubernetes }: Pick<ClusterLab, "kubernetes">, name: string, config = "edge-config") {
    this.name = name;
    this.api = kubernetes.api(name);
    this.#config = config;
    this.#failure = () => kubernetes.failure();
  }

  /** What a ConfigMap of the namespace `default` holds; undefined when there is none. */
  async data(name: string): Promise<Record<string, string> | undefined> {
    const found = await this.api.read({ apiVersion: "v1", kind: "ConfigMap", namespace: "default", name });
    return found === undefined ? undefined : ((found["data"] ?? {}) as Record<string, string>);
  }

  /** A Kustomization of `flux-system`. */
  kustomization(name: string): Promise<KubernetesObject | undefined> {
    return this.api.read(kustomizationRef(name));
  }

  /**
   * Makes Flux look at the repository now, as `flux reconcile source git` does. Behind Azure the GitRepository comes a
   * moment after the update, when the agent has made it.
   */
  async fetchNow(): Promise<void> {
    const annotations = { "reconcile.fluxcd.io/requestedAt": new Date().toISOString() };
    const source = {
      apiVersion: "source.toolkit.fluxcd.io/v1",
      kind: "GitRepository",
      namespace: "flux-system",
      name: this.#config,
    };
    await this.until("the GitRepository is there", async () => (await this.api.read(source)) !== undefined);
    await this.api.patch(source, { metadata: { annotations } });
  }

  /** Waits until something holds; the error of a wait in vain shows what Flux says of its objects. */
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    return waitUntil(`${what} on ${this.name}`, look, {
      failure: this.#failure,
      instead: () => this.conditions(),
    });
  }

  /** Waits until a Kustomization has applied a commit and is ready. */
  async untilReady(name: string, commit: string): Promise<void> {
    await this.until(`Kustomization ${name} is ready at ${commit}`, async () => {
      const found = await this.kustomization(name);
      return readyOf(found).status === "True" && revisionOf(found).endsWith(commit);
    });
  }

  /** A line for each Flux object: its readiness, reason and message. */
  async conditions(): Promise<string> {
    const kinds = [
      ["source.toolkit.fluxcd.io/v1", "GitRepository"],
      ["kustomize.toolkit.fluxcd.io/v1", "Kustomization"],
    ] as const;
    const all = await Promise.all(kinds.map(([version, kind]) => this.api.list(version, kind)));
    return all
      .flat()
      .map((object) => {
        const { status, reason, message } = readyOf(object);
        return `${object.kind} ${object.metadata.name}: ${status} ${reason} ${revisionOf(object)} ${message}`;
      })
      .join("\n");
  }
}

export function kustomizationRef(name: string): ObjectRef {
  return {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    namespace: "flux-system",
    name,
  };
}

/** The condition Ready of a Flux object; its fields are empty when Flux has said nothing yet. */
export function readyOf(object: KubernetesObject | undefined): {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
} {
  const { conditions = [] } = (object?.["status"] ?? {}) as { conditions?: Record<string, string>[] };
  const { status = "", reason = "", message = "" } = conditions.find(({ type }) => type === "Ready") ?? {};
  return { status, reason, message };
}

function revisionOf(object: KubernetesObject | undefined): string {
  const { lastAppliedRevision = "" } = (object?.["status"] ?? {}) as { lastAppliedRevision?: string };
  return lastAppliedRevision;
}

/** Does a kubelet's part, since the cluster has no nodes: says of each Pod that it runs. */
export async function runPods(cluster: OnCluster, app: string, namespace = "default"): Promise<void> {
  const { api } = cluster;
  const labels = `app=${app}`;
  const pods = await cluster.until(`Pods of ${app}`, async () => {
    const found = await api.list("v1", "Pod", { namespace, labels });
    return found.length > 0 && found;
  });
  const conditions = ["PodScheduled", "Initialized", "ContainersReady", "Ready"].map((type) => ({
    type,
    status: "True",
    lastTransitionTime: new Date().toISOString(),
  }));
  for (const { metadata } of pods) {
    const ref = { apiVersion: "v1", kind: "Pod", namespace, name: metadata.name };
    await api.patch(ref, { status: { phase: "Running", conditions } }, "status");
  }
}

/** A ConfigMap of the namespace `default`, in a folder of its own: what a set of a spec applies. */
export function configMap(
  folder: string,
  name: string,
  data: Readonly<Record<string, string>>,
): Record<string, string> {
  const lines = Object.entries(data).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
  const head = [
    "apiVersion: v1",
    "kind: ConfigMap",
    `metadata: { name: ${name}, namespace: default }`,
    "data:",
  ];
  return { [`${folder}/${name}.yaml`]: [...head, ...lines, ""].join("\n") };
}

/** A Deployment `web` in the namespace default. */
export const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: registry.example.com/web:1 }] }
`;

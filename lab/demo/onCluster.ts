import type { Cluster } from "../../fleet/model.ts";
import { fluxNamespace } from "../../fleet/model.ts";
import type { LabKubernetes } from "../cluster/labKubernetes.ts";
import { allReady, watchKustomizations } from "../cluster/watchKustomizations.ts";
import type { KustomizationState } from "../cluster/kustomizationState.ts";
import { waitUntil } from "../cluster/waitUntil.ts";
import type { ClusterApi, KubernetesObject } from "../cluster/clusterApi.ts";
import { manifestsOf } from "../manifests.ts";
import type { Narrator } from "./narrator.ts";

/** The part of the demo that looks at a real cluster, and at what Flux does there. */
export class OnCluster {
  readonly #kubernetes: LabKubernetes;
  readonly #api: ClusterApi;
  readonly #tell: Narrator;
  readonly #told = new Map<string, string>();

  constructor(kubernetes: LabKubernetes, tell: Narrator) {
    this.#kubernetes = kubernetes;
    this.#api = kubernetes.api(kubernetes.contexts[0] ?? "");
    this.#tell = tell;
  }

  /** Waits until every set, and the bootstrap, is ready at a commit; a line per change of state. */
  async untilReady(cluster: Cluster, commit: string): Promise<void> {
    await this.#fetchNow(cluster);
    const names = [`${cluster.config}-bootstrap`, ...cluster.sets.map(({ name }) => name)];
    await this.#watch(`${names.join(", ")} are ready at ${commit.slice(0, 7)}`, (states) =>
      allReady(states, names, commit),
    );
    this.#tell.claim(true, `all ${cluster.sets.length} sets are applied on the cluster, and ready`);
  }

  /** Shows what Flux made of the settings of a set, variables of the fleet file and all. */
  async showSettings(set: string): Promise<void> {
    const settings = await this.#api.read({
      apiVersion: "v1",
      kind: "ConfigMap",
      namespace: set,
      name: "settings",
    });
    this.#tell.claim(settings !== undefined, `the ConfigMap ${set}/settings is on the cluster:`);
    this.#tell.quote(JSON.stringify(settings?.["data"], null, 2));
  }

  /** A commit that Flux cannot apply, its complaint, and the commit that repairs it. */
  async breakAndRepair(
    cluster: Cluster,
    commit: (message: string, files: Record<string, string>) => Promise<string>,
  ): Promise<void> {
    const set = cluster.sets.find(({ name }) => name === "set-01");
    if (set === undefined)
      throw new Error("The demo needs the set set-01 of the fleet.yaml that came with the clone.");
    const sound = manifestsOf(set);
    const [file = "", content = ""] =
      Object.entries(sound).find(([path]) => path.endsWith("settings.yaml")) ?? [];
    const broken = content.replace("kind: ConfigMap", "kind: ConfigMapp");
    this.#tell.say(`In ${file}:`);
    this.#tell.quote("- kind: ConfigMap\n+ kind: ConfigMapp");
    const bad = await commit("Rework the settings of set-01", { [file]: broken });
    await this.#fetchNow(cluster);
    const states = await this.#watch(`${set.name} is not ready because of ${bad.slice(0, 7)}`, (all) =>
      isRefused(all.get(set.name), bad),
    );
    this.#tell.say("Flux says why:");
    this.#tell.quote(states.get(set.name)?.message ?? "");
    await this.#claimUntouched(set.name);
    const good = await commit("Repair the settings of set-01", { [file]: content });
    this.#tell.say("The fix is a commit like any other:");
    await this.untilReady(cluster, good);
  }

  /** Waits until nothing of ours is left. */
  async untilEmpty(cluster: Cluster): Promise<void> {
    const kinds = [
      ["kustomize.toolkit.fluxcd.io/v1", "Kustomization"],
      ["source.toolkit.fluxcd.io/v1", "GitRepository"],
    ] as const;
    const left = async (): Promise<KubernetesObject[]> => {
      const objects = await Promise.all(
        kinds.map(([apiVersion, kind]) => this.#api.list(apiVersion, kind, { namespace: fluxNamespace })),
      );
      const namespaces = await Promise.all(
        cluster.sets.map(({ name }) => this.#api.read({ apiVersion: "v1", kind: "Namespace", name })),
      );
      return [...objects.flat(), ...namespaces.filter((one) => one !== undefined)];
    };
    await waitUntil(
      "everything that Flux applied is gone from the cluster",
      async () => (await left()).length === 0,
      {
        failure: () => this.#kubernetes.failure(),
        instead: async () =>
          `Left: ${(await left()).map(({ kind, metadata }) => `${kind} ${metadata.name}`).join(", ")}`,
      },
    );
    this.#tell.claim(true, "Flux's objects are gone from the cluster, and everything they had applied");
  }

  async #claimUntouched(set: string): Promise<void> {
    const ref = { apiVersion: "v1", kind: "ConfigMap", namespace: set, name: "settings" };
    this.#tell.claim((await this.#api.read(ref)) !== undefined, "what runs is what was applied before");
  }

  /** Flux looks at the repository once in an interval; here it is told to look now, as a webhook of the host would. */
  async #fetchNow({ config }: Cluster): Promise<void> {
    const requested = { "reconcile.fluxcd.io/requestedAt": new Date().toISOString() };
    const repository = {
      apiVersion: "source.toolkit.fluxcd.io/v1",
      kind: "GitRepository",
      namespace: fluxNamespace,
      name: config,
    };
    await waitUntil(
      `the GitRepository ${config} is on the cluster`,
      () => this.#api.patch(repository, { metadata: { annotations: requested } }),
      { failure: () => this.#kubernetes.failure() },
    );
  }

  #watch(what: string, until: (states: ReadonlyMap<string, KustomizationState>) => boolean) {
    return watchKustomizations({
      api: this.#api,
      what,
      until,
      told: this.#told,
      onChange: (line) => this.#tell.quote(line),
      failure: () => this.#kubernetes.failure(),
    });
  }
}

/** Whether Flux has tried a commit and refused it. */
function isRefused(state: KustomizationState | undefined, commit: string): boolean {
  return (
    state?.ready === "Not ready" &&
    state.reason !== "DependencyNotReady" &&
    state.attempted.endsWith(`:${commit}`)
  );
}

import {
  ApiException,
  AppsV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  type KubeConfig,
  VersionApi,
} from "@kubernetes/client-node";
import { fluxNamespace } from "../fleet/model.ts";
import { unusable } from "../status/index.ts";
import type { YamlMap } from "../values/maps.ts";

/* Loaded by those alone who ask a cluster: the client takes a moment. */

/** Something of the agents of Azure Arc that is on a cluster. */
export interface Leftover {
  readonly kind: "release" | "namespace";
  readonly name: string;
  readonly namespace: string;
}

/** What a cluster says of itself. */
export interface ClusterLook {
  readonly version: string;
  readonly isAdmin: boolean;
  /** Releases and namespaces of the agents, whoever installed them. */
  readonly leftovers: readonly Leftover[];
  /** Deployments of flux-system. */
  readonly controllers: readonly YamlMap[];
}

/** Of one cluster, in milliseconds: one that is there answers in a second. */
const patience = 10_000;

/** `azure-arc-release` is the newer home of the release; the chart makes `azure-arc`. */
const agentNamespaces = ["azure-arc", "azure-arc-release"];
const releaseHomes = ["azure-arc-release", "default"];

/** Asks the current context of a kubeconfig. Rejects with why, without anything that stands in the kubeconfig. */
export async function lookAtCluster(config: KubeConfig, signal: AbortSignal): Promise<ClusterLook> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const late = new Promise<never>((_, reject) =>
    ends.addEventListener("abort", () => reject(new Error(`no answer within ${patience / 1000} s`)), {
      once: true,
    }),
  );
  const within = <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, late]);
  try {
    const version = await within(config.makeApiClient(VersionApi).getCode());
    const review = await within(
      config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({
        body: {
          ...{ apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview" },
          spec: { resourceAttributes: { verb: "*", group: "*", resource: "*" } },
        },
      }),
    );
    const isAdmin = review.status?.allowed === true;
    const rest = isAdmin ? await within(findRest(config)) : { leftovers: [], controllers: [] };
    return { version: version.gitVersion, isAdmin, ...rest };
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    late.catch(() => undefined);
  }
}

async function findRest(config: KubeConfig): Promise<Pick<ClusterLook, "leftovers" | "controllers">> {
  const core = config.makeApiClient(CoreV1Api);
  const { items } = await core.listNamespace();
  const names = new Set(items.map(({ metadata }) => metadata?.name ?? ""));
  const [leftovers, controllers] = await Promise.all([
    findLeftovers(core, names),
    names.has(fluxNamespace)
      ? config.makeApiClient(AppsV1Api).listNamespacedDeployment({ namespace: fluxNamespace })
      : { items: [] },
  ]);
  return { leftovers, controllers: controllers.items as unknown as YamlMap[] };
}

async function findLeftovers(core: CoreV1Api, names: ReadonlySet<string>): Promise<Leftover[]> {
  const releases = await Promise.all(
    releaseHomes
      .filter((namespace) => names.has(namespace))
      .map(async (namespace): Promise<Leftover[]> => {
        const found = await core.listNamespacedSecret({
          namespace,
          labelSelector: "owner=helm,name=azure-arc",
        });
        return found.items.length === 0 ? [] : [{ kind: "release", name: "azure-arc", namespace }];
      }),
  );
  const all = releases.flat();
  if (all.length > 0) return all;
  return agentNamespaces
    .filter((name) => names.has(name))
    .map((name): Leftover => ({ kind: "namespace", name, namespace: name }));
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiException)
    return error.code === 401 || error.code === 403
      ? `the cluster refuses the kubeconfig (HTTP ${error.code})`
      : `the API server fails (HTTP ${error.code})`;
  const fault = unusable(error);
  if (fault !== undefined) return fault;
  const { message, cause } = error as Error & { readonly cause?: { readonly code?: string } };
  return `the API server does not answer (${cause?.code ?? message})`;
}

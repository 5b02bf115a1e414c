import type { ClusterApi, KubernetesObject } from "./clusterApi.ts";
import { waitUntil } from "./waitUntil.ts";

/** Applies definitions, and waits until objects of all their kinds can be listed, as whoever works on them will. */
export async function applyCrds(
  api: ClusterApi,
  crds: readonly KubernetesObject[],
  failure?: () => Error | undefined,
): Promise<void> {
  await Promise.all(crds.map((crd) => api.apply(crd)));
  const how = { everyMs: 50, ...(failure && { failure }) };
  const established = async (): Promise<boolean> => {
    const all = await api.list("apiextensions.k8s.io/v1", "CustomResourceDefinition");
    return crds.every(({ metadata }) => {
      const crd = all.find((one) => one.metadata.name === metadata.name);
      const { conditions = [] } = (crd?.["status"] ?? {}) as {
        conditions?: { type: string; status: string }[];
      };
      return conditions.some((one) => one.type === "Established" && one.status === "True");
    });
  };
  await waitUntil("the kinds are known to the cluster", established, how);
  // For a moment after that a list of them is refused: "storage is (re)initializing".
  const paths = crds.flatMap(listPaths);
  const listed = () => Promise.all(paths.map((at) => api.request({ path: at, query: { limit: "1" } })));
  await waitUntil("the kinds can be listed", listed, how);
}

/** Where the objects of a kind are listed, one path for each version of it. */
function listPaths({ spec }: KubernetesObject): string[] {
  const { group, names, versions } = spec as {
    group: string;
    names: { plural: string };
    versions: readonly { name: string; served: boolean }[];
  };
  return versions.filter(({ served }) => served).map(({ name }) => `/apis/${group}/${name}/${names.plural}`);
}

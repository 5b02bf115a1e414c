import type { KubeConfig } from "@kubernetes/client-node";

/** A kubeconfig whose current context is the named one, its own where none is named; undefined where it has none of that name. */
export function ofContext(kubeconfig: KubeConfig, name: string | undefined): KubeConfig | undefined {
  const context = name ?? kubeconfig.getCurrentContext();
  if (kubeconfig.getContextObject(context) === null) return undefined;
  // A copy: the same kubeconfig is opened for many clusters, each at a context of its own.
  const copy = Object.assign(
    Object.create(Object.getPrototypeOf(kubeconfig) as object) as KubeConfig,
    kubeconfig,
  );
  copy.setCurrentContext(context);
  return copy;
}

/** The programs of the lab on a real Kubernetes API: paths. */
export interface ClusterTools {
  readonly etcd: string;
  readonly kubeApiserver: string;
  readonly kubeControllerManager: string;
  readonly kubectl: string;
  readonly sourceController: string;
  /** The newest one, and that of Azure's Flux extension. */
  readonly kustomizeController: { readonly newest: string; readonly azure: string };
  /** `pulumi-resource-kubernetes`. */
  readonly kubernetesProvider: string;
}

/** The programs that set-up brought. */
export function findClusterTools(): ClusterTools {
  throw new Error("There are no programs for a real Kubernetes API yet: give startLab those to use.");
}

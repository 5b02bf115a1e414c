import { existsSync } from "node:fs";
import path from "node:path";

/** One of Flux's controllers. */
export interface Controller {
  /** Path. */
  readonly program: string;
  /** Folder with the CustomResourceDefinitions of this very version. */
  readonly crds: string;
}

/** flux-operator, with the manifests that it makes Flux's controllers of. */
export interface FluxOperator extends Controller {
  /** Folder. */
  readonly manifests: string;
}

/** The programs of the lab on a real Kubernetes API: paths. */
export interface ClusterTools {
  readonly etcd: string;
  readonly kubeApiserver: string;
  readonly kubeControllerManager: string;
  readonly kubectl: string;
  readonly sourceController: Controller;
  /** The newest one, and that of Azure's Flux extension. */
  readonly kustomizeController: { readonly newest: Controller; readonly azure: Controller };
  /** The manager of Cluster API, which makes clusters; absent where `npm run setup` was not asked for it. */
  readonly clusterApi?: Controller;
  /** Absent where `npm run setup` was not asked for it. */
  readonly fluxOperator?: FluxOperator;
  /** `pulumi-resource-kubernetes`. */
  readonly kubernetesProvider: string;
}

/**
 * The programs of a folder that somebody filled: each under its own name, the older kustomize-controller as
 * `kustomize-controller-1.7.3`, and the CRDs of a controller in `crds/<its name>`.
 */
export function clusterToolsIn(folder: string): ClusterTools {
  const at = (name: string): string => path.join(folder, name);
  const controller = (name: string): Controller => ({
    program: at(name),
    crds: path.join(folder, "crds", name),
  });
  return {
    etcd: at("etcd"),
    kubeApiserver: at("kube-apiserver"),
    kubeControllerManager: at("kube-controller-manager"),
    kubectl: at("kubectl"),
    sourceController: controller("source-controller"),
    kustomizeController: {
      newest: controller("kustomize-controller"),
      azure: controller("kustomize-controller-1.7.3"),
    },
    kubernetesProvider: at("pulumi-resource-kubernetes"),
    ...(existsSync(at("cluster-api-manager")) && { clusterApi: controller("cluster-api-manager") }),
    ...(existsSync(at("flux-operator")) && {
      fluxOperator: { ...controller("flux-operator"), manifests: path.join(folder, "data") },
    }),
  };
}

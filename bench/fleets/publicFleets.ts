/** A public repository that clusters follow, at the commit it was measured at. */
export interface PublicFleet {
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly commit: string;
  /** Folder to import, where the repository as a whole is not one fleet. */
  readonly folder?: string;
  /** Folder that is a repository of its own to its clusters, where several are kept in one. */
  readonly within?: string;
}

/** Many shapes on purpose: Azure's, flux bootstrap's, flux-operator's, overlays, trees of Kustomizations, no roots at all. */
export const publicFleets: readonly PublicFleet[] = [
  { repository: "cse-labs/demo-fleet", commit: "60b035d", folder: "clusters" },
  { repository: "Azure/gitops-flux2-kustomize-helm-mt", commit: "bd5c67a" },
  { repository: "fluxcd/flux2-kustomize-helm-example", commit: "4f1a5b1", folder: "clusters" },
  { repository: "fluxcd/flux2-multi-tenancy", commit: "192da05", folder: "clusters" },
  { repository: "PingCAP-QE/ee-ops", commit: "8c090d8" },
  { repository: "adrianzech/flux", commit: "fa8b25a" },
  { repository: "artazar/flux2-general", commit: "c2772bd" },
  { repository: "jesse-gonzalez/nai-llm-fleet-infra", commit: "c183e6d" },
  { repository: "docnolan/IPC-Platform-Engineering", commit: "a290433" },
  { repository: "retaildevcrews/red-gitops", commit: "e6d8975" },
  { repository: "hmcts/sds-flux-config", commit: "9a1f4cd" },
  { repository: "microsoft/kalypso-control-plane", commit: "4a0821c" },
  { repository: "aws-samples/multi-cluster-gitops", commit: "910fe7f", within: "repos/gitops-system" },
  { repository: "billimek/k8s-gitops", commit: "ff56e25" },
  { repository: "bjw-s-labs/home-ops", commit: "e183e64" },
  { repository: "budimanjojo/home-cluster", commit: "5ff6e74" },
  { repository: "buroa/k8s-gitops", commit: "aed0dd7" },
  { repository: "controlplaneio-fluxcd/d1-fleet", commit: "8d4e866" },
  { repository: "controlplaneio-fluxcd/d2-fleet", commit: "64e4953" },
  { repository: "giantswarm/gitops-template", commit: "72f74f1" },
  { repository: "onedr0p/home-ops", commit: "d9078e4" },
  { repository: "szinn/k8s-homelab", commit: "8c8742b" },
  { repository: "thaum-xyz/ankhmorpork", commit: "71d407f" },
  { repository: "xunholy/k8s-gitops", commit: "c56dc9d" },
];

/** Name of the folder that a fleet lies in. */
export function folderName({ repository }: PublicFleet): string {
  return repository.replace("/", "+");
}

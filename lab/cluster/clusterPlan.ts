import path from "node:path";
import type { ClusterFiles } from "./clusterFiles.ts";
import type { ClusterTools, Controller } from "./clusterTools.ts";
import type { ProcessPlan } from "./guarded.ts";

/** The programs of one cluster, and how they run. */
export interface ClusterPrograms extends Pick<
  ClusterTools,
  "etcd" | "kubeApiserver" | "kubeControllerManager" | "sourceController"
> {
  readonly kustomizeController: Controller;
  /** Whether Flux runs as Azure's extension has it run unless told otherwise. */
  readonly lockdown: boolean;
}

/** Ports of loopback. */
export interface ClusterPorts {
  readonly api: number;
  readonly artifacts: number;
}

/** How the processes of a cluster are started, each group when the one before it is up. */
export interface ClusterPlan {
  readonly server: string;
  /** A database and the API. */
  readonly base: readonly ProcessPlan[];
  /** What works on objects. Flux's need its CRDs. */
  readonly kubernetes: ProcessPlan;
  readonly flux: readonly ProcessPlan[];
}

/**
 * What Kubernetes itself does here: without these a namespace that is deleted stays for ever, and CronJobs make no Jobs.
 * Nothing makes Pods run: there are no nodes.
 */
const kubernetesControllers = [
  "namespace-controller",
  "garbage-collector-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "clusterrole-aggregation-controller",
  "cronjob-controller",
  "job-controller",
  "deployment-controller",
  "replicaset-controller",
  "statefulset-controller",
];

/** What multiTenancy.enforce of Azure's extension means for kustomize-controller. */
const lockdown = ["--default-service-account=flux-applier", "--no-cross-namespace-refs=true"];

/**
 * etcd asks nobody who they are, so it listens at sockets in the cluster's folder, which is the owner's alone. They are
 * relative to the folder that the processes work in: the path of a socket must be short.
 */
const etcd = "unix://etcd.sock";
const peers = "unix://etcd-peers.sock";

/** The command lines. Pure; nothing in them is secret. */
export function clusterPlan(
  files: ClusterFiles,
  ports: ClusterPorts,
  programs: ClusterPrograms,
  environment: Readonly<Record<string, string>>,
): ClusterPlan {
  const server = `https://127.0.0.1:${ports.api}`;
  const env = { ...environment, TMPDIR: files.temporary };
  const plan = (name: string, program: string, args: string[], more: Record<string, string> = {}) => ({
    name,
    program,
    args,
    env: { ...env, ...more },
    cwd: files.dir,
    log: path.join(files.logs, `${name}.log`),
  });
  const controller = [
    "--metrics-addr=127.0.0.1:0",
    "--health-addr=127.0.0.1:0",
    "--watch-all-namespaces=true",
    "--events-addr=",
  ];
  const inCluster = { KUBECONFIG: files.kubeconfig, RUNTIME_NAMESPACE: "flux-system" };
  const artifacts = `127.0.0.1:${ports.artifacts}`;
  return {
    server,
    base: [
      plan("etcd", programs.etcd, [
        `--data-dir=${files.etcd}`,
        `--listen-client-urls=${etcd}`,
        `--advertise-client-urls=${etcd}`,
        `--listen-peer-urls=${peers}`,
        `--initial-advertise-peer-urls=${peers}`,
        `--initial-cluster=default=${peers}`,
        // All of it is thrown away when the cluster ends.
        "--unsafe-no-fsync",
      ]),
      plan("kube-apiserver", programs.kubeApiserver, [
        `--etcd-servers=${etcd}`,
        `--cert-dir=${files.certificates}`,
        "--bind-address=127.0.0.1",
        `--secure-port=${ports.api}`,
        "--service-cluster-ip-range=10.0.0.0/24",
        "--service-account-issuer=https://kubernetes.default.svc",
        `--service-account-key-file=${files.serviceAccountPublicKey}`,
        `--service-account-signing-key-file=${files.serviceAccountKey}`,
        `--token-auth-file=${files.tokens}`,
        "--authorization-mode=RBAC",
        "--disable-admission-plugins=ServiceAccount",
      ]),
    ],
    kubernetes: plan("kube-controller-manager", programs.kubeControllerManager, [
      `--kubeconfig=${files.kubeconfig}`,
      "--leader-elect=false",
      "--secure-port=0",
      `--service-account-private-key-file=${files.serviceAccountKey}`,
      `--root-ca-file=${files.certificate}`,
      "--use-service-account-credentials=false",
      `--controllers=${kubernetesControllers.join(",")}`,
    ]),
    flux: [
      plan(
        "source-controller",
        programs.sourceController.program,
        [
          ...controller,
          `--storage-path=${files.artifacts}`,
          `--storage-addr=${artifacts}`,
          `--storage-adv-addr=${artifacts}`,
        ],
        inCluster,
      ),
      plan(
        "kustomize-controller",
        programs.kustomizeController.program,
        [...controller, "--requeue-dependency=2s", ...(programs.lockdown ? lockdown : [])],
        inCluster,
      ),
    ],
  };
}

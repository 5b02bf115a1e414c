import { type Cluster, type ClusterSet, type Window, fluxNamespace } from "../fleet/model.ts";
import type { YamlMap, YamlValue } from "./yaml.ts";

/**
 * Image with kubectl that windows run, without a shell. A digest may follow: `…:v1.34.1@sha256:…`. Any kubectl will do,
 * since all it does is one patch.
 */
export const windowImage = "registry.k8s.io/kubectl:v1.34.1";

/** Flux leaves an object that carries this label as it is: neither applied nor pruned. */
const untouched = "kustomize.toolkit.fluxcd.io/reconcile";
const reconcileRequest = "reconcile.fluxcd.io/requestedAt";
const kustomizations = { group: "kustomize.toolkit.fluxcd.io", resource: "kustomizations" } as const;

/** How late a run may start, and how long it may try, in seconds: an open run must be over before its window closes. */
const patience = { open: 600, close: 3600, deadline: 600, retries: 4 } as const;

/**
 * The objects of a maintenance window: a service account that may change exactly the sets of the window, and two CronJobs
 * that open and close it. None when no set of the cluster is bound to it.
 *
 * In Git the sets say `suspend: true`. Opening puts a label on them that keeps the bootstrap from suspending them again,
 * and lets them run; closing suspends them and takes the label off, so that changes to their specs arrive. A set that is
 * suspended by hand is never opened but still closed, since it may have been suspended while the window was open.
 *
 * What closing cannot know: a set that left Git, or the window, while the window was open. Its object carries the label
 * and nobody's list names it, so it stays as it is until the label is taken off or the object deleted by hand. To name
 * such objects takes the right to list, and to end them the right to delete, any Kustomization: more than a window has.
 */
export function renderWindow(
  window: Window,
  cluster: Pick<Cluster, "sets">,
  image: string = windowImage,
): YamlMap[] {
  const bound = cluster.sets.filter((set) => set.window === window.name);
  // An empty list of names in a role would mean every Kustomization.
  if (bound.length === 0) return [];
  const opened = bound.filter((set) => set.suspension === undefined);
  const cronJob = (action: "open" | "close", sets: readonly ClusterSet[]): YamlMap =>
    renderCronJob(window, action, patchCommand(windowPatch(window, action), sets), image);
  return [
    ...permissions(window, bound),
    ...(opened.length > 0 ? [cronJob("open", opened)] : []),
    cronJob("close", bound),
  ];
}

/** Name of the service account of a window, of its role and binding; its CronJobs have `-open` or `-close` added. */
export function windowObjectName(window: Pick<Window, "name">): string {
  return `window-${window.name}`;
}

function permissions(window: Window, sets: readonly ClusterSet[]): YamlMap[] {
  const metadata = { name: windowObjectName(window), namespace: fluxNamespace };
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata, automountServiceAccountToken: false },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata,
      rules: [
        {
          apiGroups: [kustomizations.group],
          resources: [kustomizations.resource],
          resourceNames: sets.map(({ name }) => name),
          verbs: ["get", "patch"],
        },
      ],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name },
      subjects: [{ kind: "ServiceAccount", name: metadata.name, namespace: fluxNamespace }],
    },
  ];
}

/** The request has a value that closing takes away, so that every opening changes it. */
function windowPatch(window: Window, action: "open" | "close"): YamlMap {
  const open = action === "open";
  return {
    metadata: {
      labels: { [untouched]: open ? "disabled" : null },
      annotations: { [reconcileRequest]: open ? `${windowObjectName(window)}-open` : null },
    },
    spec: { suspend: !open },
  };
}

/** One command for all sets; it goes on past a set that is not on the cluster yet, and fails in the end. */
function patchCommand(patch: YamlMap, sets: readonly ClusterSet[]): string[] {
  return [
    "kubectl",
    "patch",
    `${kustomizations.resource}.${kustomizations.group}`,
    ...sets.map(({ name }) => name),
    `--namespace=${fluxNamespace}`,
    "--type=merge",
    `--patch=${JSON.stringify(patch)}`,
  ];
}

function renderCronJob(
  window: Window,
  action: "open" | "close",
  command: readonly string[],
  image: string,
): YamlMap {
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: `${windowObjectName(window)}-${action}`, namespace: fluxNamespace },
    spec: {
      schedule: window[action],
      timeZone: window.timeZone,
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: patience[action],
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          backoffLimit: patience.retries,
          activeDeadlineSeconds: patience.deadline,
          template: { spec: podSpec(window, command, image) },
        },
      },
    },
  };
}

/** Meets the restricted Pod Security Standard. */
function podSpec(window: Window, command: readonly string[], image: string): YamlValue {
  return {
    serviceAccountName: windowObjectName(window),
    automountServiceAccountToken: true,
    restartPolicy: "Never",
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "kubectl",
        image,
        command,
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        resources: {
          requests: { cpu: "10m", memory: "32Mi" },
          limits: { memory: "128Mi" },
        },
      },
    ],
  };
}

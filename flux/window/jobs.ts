import type { Schedule, Window, WindowJobs } from "../../fleet/model.ts";
import type { YamlMap, YamlValue } from "../yaml.ts";
import { pulseCommands, shutCommand } from "./commands.ts";

/** Seconds after which a job is over, whatever it waits for: well before the next one. */
const deadline = 240;

/** The pod's own uid, which no other pulse has. Kubernetes fills it in. */
const uid = { name: "REQUEST", valueFrom: { fieldRef: { fieldPath: "metadata.uid" } } };

interface CronJobOptions {
  /** Seconds that a run may start late; without it one that was missed is made up for at once, however late. */
  readonly startingDeadline?: number;
  /** Annotations that say why it is suspended; without them it is not. */
  readonly suspended?: Readonly<Record<string, string>>;
}

/**
 * A job whose containers run one after the other: open, wait for the fetch, shut. It is not tried again: what is left open
 * is shut by the next one, or by the shutting job, and one that tried again later might open outside the window. The pod
 * has the deadline too, since a kubelet that starts again knows no jobs.
 */
export function pulseJob(window: Window, source: YamlMap): YamlMap {
  const { open, fetch, shut } = pulseCommands(window, source, `$(${uid.name})`);
  return job(window, 0, [
    { name: "open", args: open, env: [uid] },
    { name: "fetch", args: fetch, env: [uid] },
    { name: "shut", args: shut },
  ]);
}

/** A job that shuts what a pulse that was killed left open. */
export function shutJob(window: Window): YamlMap {
  return job(window, 3, [{ name: "shut", args: shutCommand(window.source.name) }]);
}

export function renderCronJob(
  metadata: { readonly name: string; readonly namespace: string },
  { schedule, timeZone }: Schedule,
  jobSpec: YamlMap,
  { startingDeadline, suspended }: CronJobOptions,
): YamlMap {
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { ...metadata, ...(suspended && { annotations: suspended }) },
    spec: {
      schedule,
      timeZone,
      // Left out, it is nobody's in Git, and an operator may suspend it by hand.
      suspend: suspended ? true : undefined,
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: startingDeadline,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: jobSpec },
    },
  };
}

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly YamlMap[];
}

function job({ source, jobs }: Window, retries: number, containers: readonly Container[]): YamlMap {
  const all = containers.map((container) => containerOf(container, jobs));
  return {
    backoffLimit: retries,
    activeDeadlineSeconds: deadline,
    template: { spec: podSpec(source.name, jobs, all.slice(0, -1), all.slice(-1)) },
  };
}

/** Meets the restricted Pod Security Standard. */
function podSpec(
  account: string,
  { pullSecret, tolerations, nodeSelector }: WindowJobs,
  first: readonly YamlMap[],
  last: readonly YamlMap[],
): YamlValue {
  return {
    serviceAccountName: account,
    automountServiceAccountToken: true,
    restartPolicy: "Never",
    activeDeadlineSeconds: deadline,
    imagePullSecrets: pullSecret === undefined ? undefined : [{ name: pullSecret }],
    nodeSelector,
    tolerations,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: "RuntimeDefault" },
    },
    initContainers: first.length > 0 ? first : undefined,
    containers: last,
  };
}

function containerOf({ name, args, env }: Container, { image, resources }: WindowJobs): YamlMap {
  return {
    name,
    image,
    command: ["kubectl", ...args],
    env,
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    resources: resources ?? { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "128Mi" } },
  };
}

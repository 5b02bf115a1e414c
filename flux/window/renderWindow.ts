import { type Cluster, type Window, fluxNamespace } from "../../fleet/model.ts";
import { windowObject, windowsFolder } from "../../fleet/window/resolveWindows.ts";
import { followFolder } from "../follow.ts";
import { setAnnotations } from "../kustomization.ts";
import { renderSource } from "../source.ts";
import type { YamlMap } from "../yaml.ts";
import { renderCronJob, pulseJob, shutJob } from "./jobs.ts";

/** A window's GitRepository is made shut and never touched again: all that opens and shuts it is its jobs. */
const ifNotPresent = { "kustomize.toolkit.fluxcd.io/ssa": "IfNotPresent" } as const;

/** Says on a CronJob why it does not run. */
export const freezeAnnotation = "arcflux.io/freeze";

/** Once an hour between two pulses, by the same clock, since some zones are 45 minutes off. */
const shutting = "5 * * * *";

/**
 * The objects of a maintenance window in the flux folder: a source of its own for the fleet's repository, which is shut; a
 * live Kustomization that takes the Kustomizations of the windowed sets from it; and the jobs that open the source for a
 * moment, every ten minutes while the window is open, with a role for that source and nothing else.
 *
 * So outside the window everything stays at the revision of the last fetch: content, specs, what is removed and what is
 * new. Flux goes on to repair drift to it. There without sets too: what left the window last goes at the next opening.
 */
export function renderWindow(window: Window, cluster: Cluster, isPrivate = false): YamlMap[] {
  const source = renderSource(window.source, cluster, isPrivate);
  const suspended = whyStopped(cluster);
  const name = windowObject(window.name);
  const timeZone = window.spans[0]?.timeZone ?? "Etc/UTC";
  return [
    {
      ...source,
      metadata: { ...metadata(name), annotations: ifNotPresent },
      spec: { ...(source["spec"] as YamlMap), suspend: true },
    },
    followWindow(window, cluster),
    ...permissions(name),
    ...window.pulses.map((schedule, index) =>
      renderCronJob(metadata(`${name}-open-${index + 1}`), schedule, pulseJob(window, source), {
        ...(suspended && { suspended }),
        // One that comes later than this is one of those that the device was off for.
        startingDeadline: 240,
      }),
    ),
    renderCronJob(metadata(`${name}-shut`), { schedule: shutting, timeZone }, shutJob(window), {}),
  ];
}

function metadata(name: string) {
  return { name, namespace: fluxNamespace };
}

/** Applies the Kustomizations of the windowed sets, as they were at the last fetch. */
function followWindow({ name, source: { kind, name: source } }: Window, cluster: Cluster): YamlMap {
  return followFolder(
    { name: source, folder: `${windowsFolder}/${name}`, sourceRef: { kind, name: source } },
    cluster,
  );
}

/** kubectl reads the object, waits for it by a list and watch of that one name, and patches it. */
function permissions(name: string): YamlMap[] {
  return [
    {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: metadata(name),
      automountServiceAccountToken: false,
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: metadata(name),
      rules: [
        {
          apiGroups: ["source.toolkit.fluxcd.io"],
          resources: ["gitrepositories"],
          resourceNames: [name],
          verbs: ["get", "list", "watch", "patch"],
        },
      ],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: metadata(name),
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace: fluxNamespace }],
    },
  ];
}

/** Annotations of the jobs that say why they fetch nothing: a freeze, or a suspension of the cluster. */
function whyStopped({ freeze, suspension }: Cluster): Readonly<Record<string, string>> | undefined {
  if (freeze !== undefined) return { [freezeAnnotation]: `${freeze.name}: ${freeze.reason}` };
  return suspension && { [setAnnotations.suspendReason]: suspension.reason };
}

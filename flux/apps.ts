import type { App, Cluster, ClusterSet, PlainMap } from "../fleet/model.ts";
import { kustomizeConfig } from "./kustomizeConfig.ts";
import { ordered, sorted } from "./ordered.ts";
import type { YamlMap } from "./yaml.ts";

/** Folder below the cluster folder that declared apps are put together in. */
export const appsFolder = "apps";

/** The set that applies the apps folder. */
export const appsSetName = "apps-base";

/** What most fleets have below everything else; the apps wait for it where the cluster has it. */
const infrastructure = "infrastructure";

/** API version that a patch states when neither it nor its target does, by kind. */
const apiVersions: Readonly<Record<string, string>> = {
  HelmRelease: "helm.toolkit.fluxcd.io/v2",
  HelmRepository: "source.toolkit.fluxcd.io/v1",
  OCIRepository: "source.toolkit.fluxcd.io/v1",
  GitRepository: "source.toolkit.fluxcd.io/v1",
  Kustomization: "kustomize.toolkit.fluxcd.io/v1",
  Deployment: "apps/v1",
  StatefulSet: "apps/v1",
  DaemonSet: "apps/v1",
  CronJob: "batch/v1",
  Job: "batch/v1",
  Ingress: "networking.k8s.io/v1",
  ConfigMap: "v1",
  Secret: "v1",
  Service: "v1",
  Namespace: "v1",
};

const targetFields = [
  "group",
  "version",
  "kind",
  "name",
  "namespace",
  "labelSelector",
  "annotationSelector",
] as const;

/** Files of the apps folder by their path below the cluster folder; none for a cluster without apps. */
export function renderApps(cluster: Pick<Cluster, "apps">): Record<string, YamlMap> {
  const { apps } = cluster;
  if (apps.length === 0) return {};
  const patched = apps.filter(({ patch }) => patch !== undefined);
  const files: Record<string, YamlMap> = {
    [`${appsFolder}/kustomization.yaml`]: {
      ...kustomizeConfig,
      resources: apps.map(({ resource }) => resource).sort(),
      patches:
        patched.length > 0
          ? patched.map((app) => ({ path: patchPath(app), target: ordered(targetOf(app), targetFields) }))
          : undefined,
    },
  };
  for (const app of patched) files[`${appsFolder}/${patchPath(app)}`] = renderPatch(app);
  return files;
}

/**
 * The set `apps-base` of a cluster with apps. Where the fleet file has a set of that name, it is that one; else it is
 * timed as the bootstrap is, waits for the set `infrastructure` if there is one, and is ready when the apps are.
 */
export function appsSet(cluster: Cluster): ClusterSet | undefined {
  if (cluster.apps.length === 0 || cluster.sets.some(({ name }) => name === appsSetName)) return undefined;
  const { interval, retryInterval, timeout } = cluster.bootstrap;
  return {
    name: appsSetName,
    labels: {},
    annotations: {},
    dependsOn: cluster.sets.some(({ name }) => name === infrastructure) ? [{ name: infrastructure }] : [],
    sourceRef: { kind: "GitRepository", name: cluster.config },
    spec: {
      path: `./${cluster.folder}/${appsFolder}`,
      interval,
      retryInterval,
      timeout,
      prune: true,
      wait: true,
    },
  };
}

/** All sets of a cluster as they are rendered, sorted by name. */
export function setsOf(cluster: Cluster): readonly ClusterSet[] {
  const own = appsSet(cluster);
  return own === undefined ? cluster.sets : [...cluster.sets, own].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function patchPath({ name }: App): string {
  return `values/${name}.yaml`;
}

/** Without a target the patch is for the HelmRelease of the app's name. */
function targetOf({ name, target }: App): PlainMap & { readonly kind: string; readonly name: string } {
  return target ?? { kind: "HelmRelease", name };
}

/**
 * A patch file. Kustomize reads it as an object, so it has a kind and a name, those of its target; what it patches is
 * the target's choice alone.
 */
function renderPatch(app: App): YamlMap {
  const target = targetOf(app);
  const { apiVersion, kind, metadata, ...rest } = app.patch ?? {};
  const version = apiVersion ?? apiVersionOf(target);
  return {
    apiVersion: version === undefined ? undefined : sorted(version),
    kind: sorted(kind ?? target.kind),
    metadata: sorted({ name: target.name, ...(metadata as PlainMap | undefined) }),
    ...ordered(rest, []),
  };
}

function apiVersionOf(target: PlainMap & { readonly kind: string }): string | undefined {
  const { group, version, kind } = target;
  if (typeof version === "string")
    return typeof group === "string" && group !== "" ? `${group}/${version}` : version;
  return Object.hasOwn(apiVersions, kind) ? apiVersions[kind] : undefined;
}

import type { AppPatch, Cluster, PatchTarget, PlainMap } from "../fleet/model.ts";
import { kustomizeConfig } from "./kustomizeConfig.ts";
import { ordered, sorted } from "./ordered.ts";
import type { YamlMap } from "./yaml.ts";

/** Folder below the cluster folder that declared apps are put together in; the set apps-base applies it. */
export const appsFolder = "apps";

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
  const patched = apps.flatMap(({ name, patches = [] }) =>
    patches.map((patch, index) => ({ ...patch, path: patchPath(name, index) })),
  );
  const files: Record<string, YamlMap> = {
    [`${appsFolder}/kustomization.yaml`]: {
      ...kustomizeConfig,
      resources: apps.map(({ resource }) => resource).sort(),
      patches:
        patched.length > 0
          ? patched.map(({ path, target }) => ({ path, target: ordered(target, targetFields) }))
          : undefined,
    },
  };
  for (const { path, ...patch } of patched) files[`${appsFolder}/${path}`] = renderPatch(patch);
  return files;
}

/** `values/pos.yaml`, `values/pos.2.yaml`: a name of an app has no dot. */
function patchPath(app: string, index: number): string {
  return `values/${app}${index === 0 ? "" : `.${index + 1}`}.yaml`;
}

/**
 * A patch file. Kustomize reads it as an object, so it has a kind and a name, those of its target; what it patches is
 * the target's choice alone.
 */
function renderPatch({ target, patch }: AppPatch): YamlMap {
  const { apiVersion, kind, metadata, ...rest } = patch;
  const version = apiVersion ?? apiVersionOf(target);
  return {
    apiVersion: version === undefined ? undefined : sorted(version),
    kind: sorted(kind ?? target.kind),
    metadata: sorted({ name: target.name, ...(metadata as PlainMap | undefined) }),
    ...ordered(rest, []),
  };
}

function apiVersionOf(target: PatchTarget): string | undefined {
  const { group, version, kind } = target;
  if (typeof version === "string")
    return typeof group === "string" && group !== "" ? `${group}/${version}` : version;
  return Object.hasOwn(apiVersions, kind) ? apiVersions[kind] : undefined;
}

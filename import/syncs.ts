import { asList, asMap as map, asText as text, isMap, type YamlMap } from "../values/maps.ts";
import { folderOf, fullPath } from "../values/path.ts";
import { fluxInstanceGroup } from "../flux/fluxInstance.ts";
import { readYaml } from "../values/readYaml.ts";
import type { ImportedObject } from "./documents.ts";

/** What flux-operator is told to bring to a cluster. */
export interface Sync {
  /** How messages name it: `FluxInstance flux`. */
  readonly label: string;
  readonly file: string;
  readonly namespace: string | undefined;
  /** Spec of the FluxInstance. */
  readonly instance: YamlMap;
  /** `spec.kustomize.patches` of it. */
  readonly patches: readonly unknown[];
}

/** The syncs of FluxInstances, and of HelmReleases of the chart that makes one. `files` are texts by path. */
export function syncsOf(found: readonly ImportedObject[], files: Readonly<Record<string, string>>): Sync[] {
  const objects = found.flatMap((object) => [object, ...resourcesIn(object)]);
  const byName = Map.groupBy(objects, ({ value }) => map(value["metadata"])["name"]);
  return objects.flatMap((object) => {
    const { file, kind, value } = object;
    const { name, namespace } = map(value["metadata"]);
    const instance = isFluxInstance(object)
      ? map(value["spec"])
      : isRelease(object, byName)
        ? map(valuesOf(object, files)["instance"])
        : undefined;
    if (instance === undefined) return [];
    const patches = asList(map(instance["kustomize"])["patches"]);
    return [{ label: `${kind} ${text(name) ?? ""}`, file, namespace: text(namespace), instance, patches }];
  });
}

export function isFluxInstance({ kind, apiVersion }: Pick<ImportedObject, "kind" | "apiVersion">): boolean {
  return kind === "FluxInstance" && apiVersion.startsWith(`${fluxInstanceGroup}/`);
}

/** What a ResourceSet of flux-operator makes. Its templates are taken as they stand. */
function resourcesIn({ kind, apiVersion, value, file }: ImportedObject): readonly ImportedObject[] {
  if (kind !== "ResourceSet" || !apiVersion.startsWith(`${fluxInstanceGroup}/`)) return [];
  return asList(map(value["spec"])["resources"])
    .map(map)
    .map((one) => ({
      ...{ file, value: one, sourceAt: () => undefined },
      apiVersion: text(one["apiVersion"]) ?? "",
      kind: text(one["kind"]) ?? "",
    }));
}

const chart = "flux-instance";

function isRelease(
  { kind, apiVersion, value }: ImportedObject,
  byName: ReadonlyMap<unknown, readonly ImportedObject[]>,
): boolean {
  if (kind !== "HelmRelease" || !apiVersion.startsWith("helm.toolkit.fluxcd.io/")) return false;
  const { chart: stated, chartRef } = map(value["spec"]);
  if (map(map(stated)["spec"])["chart"] === chart) return true;
  const { name } = map(chartRef);
  if (name === undefined) return false;
  const sources = byName.get(name) ?? [];
  const urls = sources.flatMap(({ value: source }) => text(map(source["spec"])["url"]) ?? []);
  return urls.length > 0 ? urls.some((url) => url.endsWith(`/${chart}`)) : name === chart;
}

/** The values of a HelmRelease: those of ConfigMaps that a kustomization.yaml beside it makes of files, then its own. */
function valuesOf({ file, value }: ImportedObject, files: Readonly<Record<string, string>>): YamlMap {
  const { values, valuesFrom } = map(value["spec"]);
  const folder = folderOf(file);
  const generators = ["kustomization.yaml", "kustomization.yml"].flatMap((name) =>
    asList(mapIn(files[fullPath(folder, name)])["configMapGenerator"]).map(map),
  );
  const found = asList(valuesFrom)
    .map(map)
    .map(({ kind, name, valuesKey }) => {
      const made = kind === "ConfigMap" ? generators.find((each) => each["name"] === name) : undefined;
      const key = text(valuesKey) ?? "values.yaml";
      const entries = asList(made?.["files"]).flatMap((entry) => text(entry) ?? []);
      const path = entries
        .map((entry) => (entry.includes("=") ? entry : `${entry.split("/").at(-1)}=${entry}`).split("="))
        .find(([name]) => name === key)?.[1];
      return path === undefined ? {} : mapIn(files[fullPath(folder, path.replace(/^\.\//, ""))]);
    });
  return [...found, map(values)].reduce(merged, {});
}

/** As Helm merges values: maps key by key, of everything else the last. */
function merged(one: YamlMap, other: YamlMap): YamlMap {
  const entries = Object.entries(other).map(([key, value]) => {
    const isBoth = isMap(one[key]) && isMap(value);
    return [key, isBoth ? merged(map(one[key]), map(value)) : value] as const;
  });
  return { ...one, ...Object.fromEntries(entries) };
}

/** The first document of a text; empty for one that cannot be read. */
function mapIn(content: string | undefined): YamlMap {
  const read = readYaml(content ?? "", { version: "1.1" });
  return "fault" in read ? {} : map(read.documents[0]);
}

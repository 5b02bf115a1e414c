import type { Cluster, Plain, PlainMap } from "../fleet/model.ts";
import { asMap } from "../values/maps.ts";

/** What an apply says beside the fleet file. */
export interface ApplyInputs {
  /** Over the cluster's own. */
  readonly variables: Readonly<Record<string, string>>;
  /** Images by the name that manifests call them, whole or its last part: `ui` to `registry.example.com/ui:4f2c1ab`. */
  readonly images: Readonly<Record<string, string>>;
  /** Secrets and ConfigMaps that Git does not have, or has encrypted. */
  readonly secrets: readonly PlainMap[];
  /** Names of sets that are left out. */
  readonly without: readonly string[];
}

/** A cluster with variables put over those of each set, as if the fleet file said so. */
export function withVariables(cluster: Cluster, variables: ApplyInputs["variables"]): Cluster {
  if (Object.keys(variables).length === 0) return cluster;
  return {
    ...cluster,
    sets: cluster.sets.map((set) => {
      const postBuild = asMap(set.spec["postBuild"]) as PlainMap;
      const substitute = { ...(postBuild["substitute"] as PlainMap | undefined), ...variables };
      return { ...set, spec: { ...set.spec, postBuild: { ...postBuild, substitute } } };
    }),
  };
}

/** An object with images of its containers replaced; `used` learns the names that were found. */
export function withImages<T extends Plain | undefined>(
  value: T,
  images: ApplyInputs["images"],
  used: Set<string>,
): T {
  if (Array.isArray(value)) return value.map((one: Plain) => withImages(one, images, used)) as unknown as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const isList = /^(containers|initContainers|ephemeralContainers)$/.test(key) && Array.isArray(inner);
    const list = isList ? inner.map((one) => withImage(one as Plain, images, used)) : inner;
    return [key, withImages(list as Plain, images, used)];
  });
  return Object.fromEntries(entries) as T;
}

function withImage(container: Plain, images: ApplyInputs["images"], used: Set<string>): Plain {
  const { image } = asMap(container);
  if (typeof image !== "string") return container;
  // The name ends at a tag or a digest; the port of a registry has a slash behind it.
  const name = image.replace(/@.*$/, "").replace(/:[^/]*$/, "");
  const found = Object.keys(images).find((key) => name === key || name.endsWith(`/${key}`));
  if (found === undefined) return container;
  used.add(found);
  return { ...(container as PlainMap), image: images[found]! };
}

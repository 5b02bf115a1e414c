import { type ClusterSet, fluxNamespace } from "../../fleet/model.ts";
import type { BuiltObject, Subject } from "../../judge/index.ts";
import { asMap, asText, type YamlMap } from "../../values/maps.ts";
import { isOurs } from "../generatedFiles.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { OwnSource } from "./sourceOf.ts";

/**
 * Kustomizations that somebody wrote by hand, into the flux folder or into what a set applies, as sets; `known` holds the
 * names that were looked at already, and learns these.
 */
export async function handSets(
  subjects: readonly Subject[],
  known: Set<string>,
  reader: RepositoryReader | undefined,
): Promise<ClusterSet[]> {
  const found: ClusterSet[] = [];
  for (const { build } of subjects) {
    if (build.kind !== "built") continue;
    for (const object of build.objects) {
      const isSet = object.group === "kustomize.toolkit.fluxcd.io" && object.kind === "Kustomization";
      if (!isSet || known.has(object.name)) continue;
      // What is generated is known; or it is still there since its removal is judged apart.
      const text = object.file === undefined ? undefined : await reader?.read(object.file);
      if (text !== undefined && isOurs(text)) continue;
      known.add(object.name);
      found.push(asSet(object));
    }
  }
  return found;
}

function asSet({ name, namespace, value }: BuiltObject): ClusterSet {
  const { sourceRef, ...spec } = asMap(value["spec"]);
  const reference = asMap(sourceRef);
  const from = asText(reference["namespace"]) ?? (namespace === "" ? fluxNamespace : namespace);
  return {
    name,
    labels: {},
    annotations: {},
    dependsOn: [],
    sourceRef: {
      kind: (asText(reference["kind"]) ?? "GitRepository") as ClusterSet["sourceRef"]["kind"],
      name: asText(reference["name"]) ?? "",
      ...(from !== fluxNamespace && { namespace: from }),
    },
    spec: { ...spec, path: asText(spec["path"]) ?? "./" } as ClusterSet["spec"],
  };
}

/** Sources of the fleet's own repository that somebody wrote by hand. */
export function appliedSources(subjects: readonly Subject[], url: string): OwnSource {
  const specs = new Map<string, YamlMap>();
  for (const { build } of subjects) {
    if (build.kind !== "built") continue;
    for (const { group, kind, name, value } of build.objects) {
      if (group !== "source.toolkit.fluxcd.io" || kind !== "GitRepository") continue;
      const spec = asMap(value["spec"]);
      if (spec["url"] === url) specs.set(name, spec);
    }
  }
  return (name) => specs.get(name);
}

import { asText, isMap } from "../values/maps.ts";
import type { ClusterSet, PlainMap } from "./model.ts";

/** The Secrets of its own namespace that a set names, and cannot be built without. */
export function secretNames({ spec }: Pick<ClusterSet, "spec">): string[] {
  return [...substituted(spec), ...referenced(spec, "kubeConfig"), ...referenced(spec, "decryption")];
}

function substituted({ postBuild }: PlainMap): string[] {
  const { substituteFrom } = (postBuild ?? {}) as PlainMap;
  return ((substituteFrom ?? []) as readonly PlainMap[])
    .filter(({ kind, optional }) => kind === "Secret" && optional !== true)
    .flatMap(({ name }) => (typeof name === "string" ? name : []));
}

function referenced(spec: PlainMap, field: "kubeConfig" | "decryption"): string[] {
  const { secretRef } = (spec[field] ?? {}) as PlainMap;
  const { name } = (secretRef ?? {}) as PlainMap;
  return typeof name === "string" ? [name] : [];
}

/** Names under `secretRef` and its like, and of entries with `kind: Secret`. */
export function secretRefs(value: unknown, key = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => secretRefs(item));
  if (!isMap(value)) return [];
  const name = asText(value["name"]);
  const isRef = /secretRef$/i.test(key) || value["kind"] === "Secret";
  return [
    ...(isRef && name !== undefined ? [name] : []),
    ...Object.entries(value).flatMap(([inner, item]) => secretRefs(item, inner)),
  ];
}

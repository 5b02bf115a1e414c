import { inOrder, isGround } from "../apply/index.ts";
import type { YamlMap } from "../flux/yaml.ts";
import { sha256Of } from "../install/index.ts";
import type { Manifest, Manifests } from "./manifests.ts";

/** Bytes that a ConfigMap may have as JSON, names and all. Kubernetes counts its values alone, so some room is left. */
export const mostBytes = 1 << 20;

/** Where the objects of a ConfigMap stand in it. */
const key = "objects.yaml";

/**
 * ConfigMaps with the documents of a file, those that others need in ones of their own. Each is named by what it holds: a
 * cluster gets other manifests only when its own ClusterResourceSet names them, and clusters that have the same share them.
 */
export interface PackedManifests {
  /** Namespaces and definitions, for all clusters first. */
  readonly ground: readonly YamlMap[];
  readonly rest: readonly YamlMap[];
}

export function packManifests(manifests: Manifests, namespace: string): PackedManifests {
  const documents = inOrder(manifests.documents.map((one) => ({ ...one, kind: one.ref.kind })));
  const make = (some: readonly Manifest[], suffix: string): YamlMap[] => {
    const name = `${stemOf(manifests.name)}${suffix}`;
    return chunks(some, namespace, name).map((text) =>
      configMapOf(namespace, `${name}-${digest(text)}`, text, {
        "arcflux.io/manifests": manifests.name,
      }),
    );
  };
  return {
    ground: make(documents.filter(isGround), "-crds"),
    rest: make(
      documents.filter((one) => !isGround(one)),
      "",
    ),
  };
}

/** Documents that no ConfigMap has room for, however they are split. */
export function tooLarge({ documents, name }: Manifests, namespace: string): readonly Manifest[] {
  return documents.filter(({ text }) => bytesOf(namespace, `${stemOf(name)}-crds`, text) > mostBytes);
}

/** A ConfigMap whose value is a stream of manifests. Flux is kept from replacing `${...}` in it, which is others' text. */
export function configMapOf(
  namespace: string,
  name: string,
  text: string,
  annotations: Readonly<Record<string, string>> = {},
): YamlMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      namespace,
      annotations: {
        ...annotations,
        "arcflux.io/sha256": sha256Of(text),
        "kustomize.toolkit.fluxcd.io/substitute": "disabled",
      },
    },
    data: { [key]: text },
  };
}

/** Streams that each have room in a ConfigMap, in order, as few as that takes. */
function chunks(documents: readonly Manifest[], namespace: string, name: string): string[] {
  const found: string[] = [];
  let [open, size] = ["", 0];
  const empty = bytesOf(namespace, name, "");
  for (const { text } of documents) {
    const part = `---\n${text}`;
    const bytes = jsonBytes(part);
    if (open !== "" && empty + size + bytes > mostBytes) {
      found.push(open);
      [open, size] = ["", 0];
    }
    open += part;
    size += bytes;
  }
  return open === "" ? found : [...found, open];
}

/** As Kubernetes is sent it, with the digest that the name ends with. */
function bytesOf(namespace: string, name: string, text: string): number {
  const whole = configMapOf(namespace, `${name}-${"0".repeat(10)}`, text, { "arcflux.io/manifests": name });
  return Buffer.byteLength(JSON.stringify(whole));
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

function digest(text: string): string {
  return sha256Of(text).slice(0, 10);
}

/** `Cilium_1.17.yaml` is `cilium-1-17`. */
function stemOf(name: string): string {
  const stem = name
    .toLowerCase()
    .replace(/\.ya?ml$/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return stem === "" ? "manifests" : stem;
}

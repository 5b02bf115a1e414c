import { keyOf, refOf, textOf } from "../apply/index.ts";
import { isKustomizeController, type StartedFlux, startedFlux } from "../flux/controller.ts";
import { sha256Of } from "../install/index.ts";
import { asList, asMap, asText, isMap, type YamlMap } from "../values/maps.ts";
import { secretsIn } from "../values/plainTextSecret.ts";
import { readYaml } from "../values/readYaml.ts";

/** One document of a file of manifests. */
export interface Manifest {
  readonly ref: ReturnType<typeof refOf>;
  /** Same for the same object. */
  readonly key: string;
  /** `Deployment flux-system/source-controller`. */
  readonly shown: string;
  /** As its author wrote it, with a final newline and no marker. */
  readonly text: string;
}

/** A file of manifests, as `--manifests` names it. */
export interface Manifests {
  /** `cni.yaml`; of a URL, the last part of its path. */
  readonly name: string;
  /** Of the text, hexadecimal. */
  readonly sha256: string;
  /** What all labels `app.kubernetes.io/version` in it say, where they agree. */
  readonly version?: string;
  /** Of which Flux they are, where they start its kustomize-controller and say so. */
  readonly flux?: StartedFlux;
  readonly documents: readonly Manifest[];
}

/**
 * Takes a text apart into its documents. Each stays as it is written, so that what reaches a cluster is what its author
 * released; or says everything that is wrong, in words that follow the name of the file.
 */
export function readManifests(name: string, source: string): Manifests | { readonly faults: string[] } {
  const text = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const whole = readYaml(text, { version: "1.1", uniqueKeys: true });
  if ("fault" in whole) return { faults: [`${whole.fault}; correct it`] };
  const faults: string[] = [];
  const versions = new Set<string>();
  let flux: Manifests["flux"];
  const documents = documentsOf(text).flatMap((document): Manifest[] => {
    const read = readYaml(document, { version: "1.1" });
    const [object] = "documents" in read ? read.documents : [];
    if (object === undefined) return [];
    const fault = faultOf(object);
    if (fault !== undefined) faults.push(fault);
    if (!isMap(object)) return [];
    const label = asText(asMap(asMap(object["metadata"])["labels"])["app.kubernetes.io/version"]);
    if (label !== undefined) versions.add(label);
    const ref = refOf(object);
    if (isKustomizeController(object)) flux = startedFlux(object) ?? flux;
    return [{ ref, key: keyOf(ref), shown: textOf(ref), text: document }];
  });
  if (documents.length === 0 && faults.length === 0) faults.push("holds no object; name a file of manifests");
  if (faults.length > 0) return { faults: [...new Set(faults)] };
  const [version, another] = versions;
  return {
    name,
    sha256: sha256Of(source),
    ...(version !== undefined && another === undefined && { version }),
    ...(flux && { flux }),
    documents,
  };
}

/** A line that begins with `---` or `...` ends a document wherever it stands, by YAML's own rule. */
function documentsOf(text: string): string[] {
  return text
    .split(/^(?:---|\.\.\.)(?=\s|$)[ \t]*/m)
    .map((part) => part.replace(/^(?:[ \t]*\n)+/, "").trimEnd())
    .filter((part) => part !== "")
    .map((part) => `${part}\n`);
}

/** What Cluster API cannot apply, or what must not be in Git. */
function faultOf(object: unknown): string | undefined {
  if (!isMap(object)) return "has a document that is not an object; take it out";
  const ref = refOf(object);
  if (ref.apiVersion === "" || ref.kind === "")
    return "has a document without apiVersion or kind; name a file of manifests";
  if (ref.kind.endsWith("List") && asList(object["items"]).length > 0)
    return `has a ${ref.kind}, which Cluster API does not apply; write its items as documents of their own`;
  if (ref.name === "") return `has a ${ref.kind} without metadata.name; write one`;
  if (ref.apiVersion === "v1" && ref.kind === "Secret")
    return `has ${textOf(ref)}, and a pack lies in Git; take it out, and make it on the management cluster`;
  return secretFault(ref, object);
}

function secretFault(ref: Manifest["ref"], object: YamlMap): string | undefined {
  const [found] = secretsIn(object);
  if (found === undefined) return undefined;
  return `has ${found.kind} in ${textOf(ref)} at ${found.path.join(".")}, and a pack lies in Git; take it out`;
}

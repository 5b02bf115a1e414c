import { posix } from "node:path";

import { fluxNamespace } from "../fleet/model.ts";
import { readYaml } from "../values/readYaml.ts";
import type { Step } from "./checkEachKnown.ts";
import { asMap, asText, type PlainMap } from "./plainValue.ts";

/** A Kubernetes object of a committed file. */
export interface CommittedObject {
  /** `Kustomization 'set-01'`. */
  readonly title: string;
  readonly group: string;
  readonly kind: string;
  /** Empty where it has none. */
  readonly name: string;
  readonly spec: PlainMap;
  /** All of it, metadata too. */
  readonly whole: PlainMap;
}

/** What a committed YAML file holds; or where it stops being YAML. */
export type Content =
  | {
      readonly objects: readonly CommittedObject[];
      /** Files that it takes as patches. */
      readonly patches: readonly string[];
      /** Documents that are no objects, and comments: Git keeps them too. */
      readonly rest: readonly unknown[];
    }
  | { readonly fault: string };

/** What a check of a file is given: its path below the directory of its GitFiles, and what it holds. */
export interface CommittedFile {
  readonly path: string;
  readonly content: Content;
  /**
   * Whether a kustomization.yaml among the files takes it as a patch, so that it holds a part of an object and the rest
   * stands elsewhere. Throws where that depends on values not known yet.
   */
  readonly isPatch: () => boolean;
}

/** Whether a path is that of a YAML file. */
export function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/** One step for each committed YAML file. */
export function eachCommittedFile(props: PlainMap, check: (file: CommittedFile) => void): Step[] {
  const files = asMap(props["files"]) ?? {};
  const paths = Object.keys(files).filter(isYaml);
  let patches: ReadonlySet<string> | undefined;
  // The values are read in the steps: each may be unknown on its own.
  const contentAt = (path: string): Content => contentOf(asText(files[path]) ?? "");
  const isPatch = (path: string): boolean => (patches ??= patchesAmong(paths, contentAt)).has(path);
  return paths.map((path) => ({
    about: `file '${path}'`,
    check: () => check({ path, content: contentAt(path), isPatch: () => isPatch(path) }),
  }));
}

function patchesAmong(paths: readonly string[], contentAt: (path: string) => Content): Set<string> {
  const configs = paths.filter((path) => /^kustomization\.ya?ml$/.test(posix.basename(path)));
  return new Set(
    configs.flatMap((config) => {
      const content = contentAt(config);
      return "patches" in content
        ? content.patches.map((patch) => posix.join(posix.dirname(config), patch))
        : [];
    }),
  );
}

/** Whether an object is Flux's own. */
export function isFlux(object: CommittedObject): boolean {
  return object.group.endsWith(".toolkit.fluxcd.io");
}

/** Where an object of Flux is: whoever writes none means the namespace that its file is applied in. */
export function namespaceOf(whole: PlainMap): string {
  return asText(asMap(whole["metadata"])?.["namespace"]) ?? fluxNamespace;
}

/** Several checks read the same files, and an operation lasts as long as this process. */
const seen = new Map<string, Content>();

function contentOf(text: string): Content {
  const known = seen.get(text);
  if (known) return known;
  const content = parse(text);
  seen.set(text, content);
  return content;
}

function parse(text: string): Content {
  const read = readYaml(text, { version: "1.2" });
  if ("fault" in read) return { fault: read.fault };
  const all = read.documents.map((value) => ({ value, objects: objectsOf(value) }));
  return {
    objects: all.flatMap(({ objects }) => objects),
    patches: read.documents.flatMap(patchesOf),
    rest: [
      ...all.flatMap(({ value, objects }) => (objects.length === 0 ? [value] : [])),
      ...(text.match(/(?:^|[ \t])#.*$/gm) ?? []),
    ],
  };
}

/** What the text of a patch holds: parts of objects, or operations. Nothing where it is no YAML. */
export function patchIn(text: string): {
  readonly objects: readonly CommittedObject[];
  readonly operations: readonly PlainMap[];
} {
  const read = readYaml(text, { version: "1.2" });
  const documents = "fault" in read ? [] : read.documents;
  return {
    objects: documents.flatMap(objectsOf),
    operations: documents.flatMap((one) =>
      Array.isArray(one) ? one.flatMap((op: unknown): PlainMap[] => [asMap(op) ?? {}]) : [],
    ),
  };
}

/** Paths in the `patches` of a kustomization.yaml. */
function patchesOf(value: unknown): string[] {
  const patches = asMap(value)?.["patches"];
  return Array.isArray(patches) ? patches.flatMap((patch) => asText(asMap(patch)?.["path"]) ?? []) : [];
}

/** What kustomize takes a file for that says neither. */
const kustomizeConfig = { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization" } as const;
const kustomizeFields = ["resources", "patches", "secretGenerator", "configMapGenerator"] as const;

function objectsOf(value: unknown): CommittedObject[] {
  const map = asMap(value);
  if (map === undefined) return [];
  const isBare = map["kind"] === undefined && kustomizeFields.some((field) => map[field] !== undefined);
  const stated = isBare ? kustomizeConfig : map;
  const [kind, apiVersion] = [asText(stated["kind"]), asText(stated["apiVersion"])];
  if (kind === undefined || apiVersion === undefined) return [];
  if (kind.endsWith("List") && Array.isArray(map["items"])) {
    // Items of a SecretList need not say what they are.
    const own = kind === "List" ? {} : { apiVersion, kind: kind.slice(0, -"List".length) };
    return map["items"].flatMap((item) => objectsOf({ ...own, ...asMap(item) }));
  }
  const name = asText(asMap(map["metadata"])?.["name"]) ?? "";
  const group = apiVersion.split("/")[0] ?? "";
  return [{ title: `${kind} '${name}'`, group, kind, name, spec: asMap(map["spec"]) ?? {}, whole: map }];
}

import { type Document, isScalar, parseAllDocuments } from "yaml";
import { isMap } from "../values/maps.ts";
import { readYaml } from "../values/readYaml.ts";
import type { NotTaken } from "./notTaken.ts";

/** One object of a file. */
export interface ImportedObject {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** The text of a scalar as it stands in the file, `0042` for a number that was meant as text. */
  readonly sourceAt: (path: readonly (string | number)[]) => string | undefined;
}

/** YAML 1.1 as Kubernetes reads it: `yes` is true, and neither dates nor 12:30 are anything but text. */
const dialect = {
  version: "1.1",
  merge: true,
  // Its warnings quote the text, which may be a secret.
  logLevel: "silent",
  // The parser compares each key of a map with all before it; readYaml looks for repeated ones in one go.
  uniqueKeys: false,
  customTags: (tags: readonly unknown[]) =>
    tags.filter((tag) => !/timestamp|TIME/.test(describe(tag))) as never,
} as const;

function describe(tag: unknown): string {
  if (typeof tag === "string") return tag;
  const { tag: name, format } = tag as { readonly tag?: string; readonly format?: string };
  return `${name ?? ""} ${format ?? ""}`;
}

const yamlFile = /\.ya?ml$/i;

/** The objects of a file, in its order. What holds none is noted. Never throws for what a file says. */
export function objectsOf(file: string, text: string): { objects: ImportedObject[]; notTaken: NotTaken[] } {
  const notTaken: NotTaken[] = [];
  const note = (path: string, reason: string): void =>
    void notTaken.push({ file, path, reason, matter: "decide" });
  if (!yamlFile.test(file)) {
    note("", "is not YAML; leave it where it is");
    return { objects: [], notTaken };
  }
  // First as whatever else others wrote is read: bounded whatever it says, and total. What is no YAML is told by document.
  const read = readYaml(text, { version: "1.1", uniqueKeys: true });
  if ("fault" in read && !read.fault.startsWith("is not valid YAML")) {
    note("", `cannot be read as YAML: it ${read.fault}`);
    return { objects: [], notTaken };
  }
  const documents = parseAllDocuments(text, dialect);
  const objects = (Array.isArray(documents) ? documents : []).flatMap((document, index) => {
    const [error] = document.errors;
    const where = documents.length > 1 ? `document ${index + 1}` : "";
    if (error !== undefined) {
      note(where, `cannot be read as YAML: ${error.code.toLowerCase().replaceAll("_", " ")}`);
      return [];
    }
    return objectsIn(file, document, (reason) => {
      note(where, reason);
    });
  });
  return { objects, notTaken };
}

function objectsIn(
  file: string,
  document: Document,
  note: (reason: string) => void,
): readonly ImportedObject[] {
  const value = document.toJS({ maxAliasCount: -1 }) as unknown;
  if (value === null || value === undefined) return [];
  if (!isMap(value) || typeof value["kind"] !== "string") {
    note("is not a Kubernetes object: it has no kind");
    return [];
  }
  const { items } = value;
  if (!value["kind"].endsWith("List") || !Array.isArray(items)) return [objectAt([], value)];
  return (items as unknown[]).flatMap((item, index) =>
    isMap(item) ? [objectAt(["items", index], item)] : [],
  );

  function objectAt(
    at: readonly (string | number)[],
    one: Readonly<Record<string, unknown>>,
  ): ImportedObject {
    return {
      file,
      apiVersion: textOf(one["apiVersion"]),
      kind: textOf(one["kind"]),
      value: one,
      sourceAt: (path) => {
        const node = document.getIn([...at, ...path], true);
        return isScalar(node) && typeof node.source === "string" ? node.source : undefined;
      },
    };
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

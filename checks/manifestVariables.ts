import { asMap, documents, isMap } from "./documents.ts";
import { substitutions, type Reference } from "./substitution.ts";

/** What substitution would find in a file. */
export interface ManifestVariables {
  readonly references: readonly Reference[];
  readonly faults: readonly string[];
  /** False where it cannot be known: encrypted, binary, too large, no YAML. */
  readonly complete: boolean;
}

const unknown: ManifestVariables = { references: [], faults: [], complete: false };
/** A manifest is written by people or by a generator; anything larger would take longer to read than it is worth. */
const mostCharacters = 1_048_576;
const key = "kustomize.toolkit.fluxcd.io/substitute";

/** Reads a manifest as Flux does: comments count for nothing, nor do objects that say `substitute: disabled`. */
export function manifestVariables(text: string): ManifestVariables {
  if (text.length > mostCharacters || text.includes("\0")) return unknown;
  if (!text.includes("${")) return { ...unknown, complete: !isEncrypted(text) };
  const all = documents(text);
  if (all === undefined) return unknown;

  const references: Reference[] = [];
  const faults: string[] = [];
  for (const document of all) {
    const { labels, annotations } = asMap(document["metadata"]);
    if (asMap(labels)[key] === "disabled" || asMap(annotations)[key] === "disabled") continue;
    for (const each of strings(document)) {
      const found = substitutions(each);
      references.push(...found.references);
      faults.push(...found.faults);
    }
  }
  return { references, faults, complete: !isEncrypted(text) };
}

/** Whether sops encrypted it: what is in it is replaced after it was decrypted. */
function isEncrypted(text: string): boolean {
  return /^sops:/m.test(text) || text.includes("ENC[AES256_GCM,");
}

/** Every text in a value, keys among them. */
export function* strings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* strings(item);
  else if (isMap(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (name.includes("${")) yield name;
      yield* strings(item);
    }
  }
}

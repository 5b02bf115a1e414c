import { type Document, isScalar, parseAllDocuments, visit } from "yaml";

/** The values of a text's documents, without empty ones; or why it is not read, in words that follow "it". */
export type YamlText = { readonly documents: readonly unknown[] } | { readonly fault: string };

/** How a text is read. */
export interface YamlDialect {
  /** 1.1 is what Kubernetes reads, 1.2 what Arcflux writes: `on` is true in the one and text in the other. */
  readonly version: "1.1" | "1.2";
  /** Whether a key that stands in a map twice is a fault, as it is to kustomize. Without it the last one counts. */
  readonly uniqueKeys?: boolean;
  /** Whether whole numbers keep all their digits. */
  readonly intAsBigInt?: boolean;
}

/** Beyond what Kubernetes would take in one object, or anybody write by hand. */
const most = { characters: 4 << 20, aliases: 10_000, values: 1_000_000, levels: 500 } as const;

/**
 * Reads YAML that others wrote. Bounded in time and memory whatever the text says, and never throws. Maps have no
 * prototype, so that `constructor` is a key like any other and absent where the text does not hold it. A fault names the
 * place and never quotes the text, which may be a secret.
 */
export function readYaml(text: string, { version, uniqueKeys = false, intAsBigInt }: YamlDialect): YamlText {
  if (text.includes("\0")) return { fault: "is not text" };
  if (text.length > most.characters) {
    return { fault: `is longer than ${most.characters >> 20} MiB` };
  }
  try {
    // The parser compares each key of a map with all before it, so repeated ones are looked for below.
    const all = parseAllDocuments(text, {
      version,
      uniqueKeys: false,
      logLevel: "silent",
      // What a place is in lines costs a tenth of the time, and few texts have a fault.
      prettyErrors: false,
      ...(intAsBigInt && { intAsBigInt }),
    });
    const budget = { values: most.values };
    const documents = all.map((document) => {
      assertReadable(document, text, uniqueKeys);
      return plain(document.toJS({ maxAliasCount: -1 }), budget, []);
    });
    return { documents: documents.filter((value) => value !== null && value !== undefined) };
  } catch (error) {
    return { fault: error instanceof YamlFault ? error.message : "is nested too deeply to be read" };
  }
}

class YamlFault extends Error {}

function assertReadable(document: Document, text: string, uniqueKeys: boolean): void {
  const [error] = document.errors;
  if (error !== undefined)
    throw new YamlFault(`is not valid YAML at line ${text.slice(0, error.pos[0]).split("\n").length}`);
  if (!uniqueKeys && !text.includes("*")) return;
  let aliases = 0;
  visit(document, {
    Alias: () => {
      if ((aliases += 1) > most.aliases) throw new YamlFault(`has more than ${most.aliases} aliases`);
    },
    Map: (_, { items }) => {
      if (!uniqueKeys) return;
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === "<<") continue;
        if (seen.has(key.value)) throw new YamlFault("holds a key twice in one map");
        seen.add(key.value);
      }
    },
  });
}

/** A copy without shared parts. What an alias stands for is copied each time, and counts each time. */
function plain(value: unknown, budget: { values: number }, above: readonly unknown[]): unknown {
  if ((budget.values -= 1) < 0) throw new YamlFault(`stands for more than ${most.values} values`);
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) throw new YamlFault("has an alias inside of what it stands for");
  if (above.length >= most.levels) throw new YamlFault(`is nested more than ${most.levels} levels deep`);
  const inside = [...above, value];
  if (Array.isArray(value)) return value.map((item) => plain(item, budget, inside));
  // A date, bytes, a set: one value.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of Object.entries(value)) copy[key] = plain(item, budget, inside);
  return copy;
}

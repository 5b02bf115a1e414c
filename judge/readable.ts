import { withoutSecrets } from "../values/secretShapes.ts";
import { printable } from "../values/show.ts";

/** What fails a build, and what to do about it. */
export interface Readable {
  /** A clause that names the file where one is to blame. */
  readonly what: string;
  readonly next: string;
}

/** Longer ones repeat whole objects. */
const mostCharacters = 300;

/** What kustomize says, by the words that it says it in. The groups are what `say` gets. */
const known: readonly {
  readonly pattern: RegExp;
  readonly say: (...groups: string[]) => Readable;
}[] = [
  {
    pattern: /failed to decode Kubernetes (?:YAML|objects?) from ([^:]+): (?:MalformedYAMLError: )?(.*)/s,
    say: (file = "", why = "") => ({
      what: `${inside(file)} is not a Kubernetes object (${brief(why)})`,
      next: `move it out of the folder, or list what belongs to it in a kustomization.yaml`,
    }),
  },
  {
    pattern:
      /accumulating resources(?: from)?[^']*'([^']+)'[^]*?(?:no such file|not found|doesn't exist|file does not exist)/,
    say: (file = "") => ({
      what: `kustomization.yaml lists ${file}, which is not there`,
      next: "add the file, or drop the entry",
    }),
  },
  {
    pattern:
      /namespace transformation produces ID conflict|may not add resource with an already registered id: ([^\s\']+)/,
    say: (id = "two objects") => ({
      what: `${id} is there twice`,
      next: "take one of them out, or name it otherwise",
    }),
  },
  {
    pattern: /no matches for Id (\S+?);? failed to find unique target for patch/,
    say: (id = "") => ({
      what: `a patch is for ${id}, which is not in the folder`,
      next: "correct the name in the patch, or drop it",
    }),
  },
  {
    pattern: /failed to decode Kubernetes apiVersion, kind and name from: (.*)/s,
    say: (object = "") => ({
      what: `an object has no apiVersion, kind or name (${field(object, "kind")} ${field(object, "name")})`,
      next: "write them",
    }),
  },
  {
    pattern: /post build failed for '([^']+)': (?:envsubst error: )?(.*)/s,
    say: (object = "", why = "") => ({
      what: `with its variables put in, ${object} cannot be read any more (${brief(why)})`,
      next: "correct the value; kustomize drops quotes around ${name}, so only a variable that holds a quote puts one there",
    }),
  },
  {
    pattern: /resource with name (\S+) does not match a config with the following GVK/,
    say: (name = "") => ({
      what: `replicas in kustomization.yaml names ${name}, which no workload of the folder is called`,
      next: "correct the name, or drop the entry",
    }),
  },
  {
    pattern: /invalid Kustomization: (.*)/s,
    say: (why = "") => ({ what: `kustomization.yaml is not valid: ${brief(why)}`, next: "correct it" }),
  },
];

/** The words of kustomize as a sentence that says what to do, with nothing in it that may be a secret. */
export function readable(message: string): Readable {
  for (const { pattern, say } of known) {
    const found = pattern.exec(message);
    if (found !== null) return say(...found.slice(1));
  }
  return { what: `kustomize cannot build it: ${brief(message)}`, next: "correct that" };
}

/** Of a chain of wrapped errors the last ones say what happened; of an object its first words. */
function brief(message: string): string {
  const plain = printable(withoutSecrets(message.replace(/\s+/g, " ").trim()));
  return plain.length > mostCharacters ? `${plain.slice(0, mostCharacters)}…` : plain;
}

function inside(path: string): string {
  return path.trim().replace(/^['"/]+|['"]+$/g, "");
}

/** A field of an object that is repeated in a message, which may hold a secret elsewhere. */
function field(object: string, name: string): string {
  return new RegExp(`\\b${name}"?:\\s*"?([\\w.-]+)`).exec(object)?.[1] ?? `no ${name}`;
}

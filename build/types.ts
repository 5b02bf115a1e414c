import type { PlainMap } from "../fleet/model.ts";

/** One thing in a folder. `kind` is `folder`, `file`, `symlink`, `submodule` or another word. */
export interface SourceEntry {
  readonly name: string;
  readonly kind: string;
  /** Git object of what stands there, where it is known without reading it. */
  readonly id?: string;
}

/**
 * What a source fetches, as of one commit (or a folder on disk). Asked for many paths at once, since each question may cost
 * a way to the server. Paths are from the root, without a leading `./`; the root is `""`.
 */
export interface SourceTree {
  /** Entries of folders; a folder that is not there is absent. */
  list(folders: readonly string[]): Promise<ReadonlyMap<string, readonly SourceEntry[]>>;
  /** Contents of files; a path that is not a file is absent. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** The fields of a source's spec that decide which of its files reach the cluster. */
export interface SourceView {
  /** `spec.ignore`: patterns like those of .gitignore, which win over `.sourceignore` and over Flux's default ones. */
  readonly ignore?: string;
  /** `spec.sparseCheckout`: only these folders are fetched. */
  readonly sparseCheckout?: readonly string[];
  /** `spec.include` is set: other sources are copied into this one, which cannot be built here. */
  readonly includes?: boolean;
}

/** What to build: a folder of a source, with the spec of the Kustomization that takes it. */
export interface BuildRequest {
  readonly tree: SourceTree;
  readonly view?: SourceView;
  /** Spec of the Flux Kustomization; of it counts what changes the build (see buildFields), and `path`. */
  readonly spec: PlainMap & { readonly path: string };
}

/** One object that Flux would apply. */
export interface BuiltObject {
  /** The manifest, before variables are put in unless it comes from `substitute`. */
  readonly object: PlainMap;
  /** Repository path of the file that it comes from: a manifest, or the kustomization.yaml whose generator made it. */
  readonly file: string;
  /** The manifest as the text that variables are put into; only where it holds a dollar. */
  readonly text?: string;
}

/** The objects of a set in the order of the build. */
export interface Built {
  readonly kind: "built";
  /** Equal for equal content: of the same files, path and spec. */
  readonly key: string;
  readonly objects: readonly BuiltObject[];
  /** What kustomize warns of, one sentence each. */
  readonly warnings: readonly string[];
  /** Repository paths of all files that the build took in, sorted. */
  readonly files: readonly string[];
  /** What the spec puts on every object, again after variables were put in. */
  readonly commonMetadata?: PlainMap;
}

/** Flux could not build the set. */
export interface BuildFault {
  readonly kind: "fault";
  /** In kustomize's own words, without paths of this machine. */
  readonly message: string;
  /** Repository path that the message is about, where it names one. */
  readonly file?: string;
}

/** Cannot be built here, though Flux perhaps can: something lies outside the repository, or is too large. */
export interface NotJudged {
  readonly kind: "notJudged";
  /** Ends a sentence "set X was not judged: …", such as `it takes https://… from the network`. */
  readonly reason: string;
}

export type BuildOutcome = Built | BuildFault | NotJudged;

/** How variables are put in; what the Kustomization and the version of Flux say. */
export interface Substitution {
  /** Variables by name. Those of `substituteFrom` are on the cluster: what stands in for them is for the caller to say. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether a variable that nothing defines fails the set; from Flux 2.9 on it does. */
  readonly strict: boolean;
  /** `substituteStrategy: Always`: also where no variable is defined. */
  readonly always?: boolean;
}

/** Builds sets as Flux does. Close it, or the process stays alive. */
export interface Builder {
  /** Builds many; one outcome for each request, in order. What is the same is built once. */
  build(requests: readonly BuildRequest[]): Promise<readonly BuildOutcome[]>;
  /** Puts variables in as Flux does after the build. */
  substitute(built: Built, how: Substitution): Promise<Built | BuildFault>;
  close(): Promise<void>;
}

/** There is no engine to build with. */
export interface NoEngine {
  readonly kind: "noEngine";
  /** Why, and the command that brings it. */
  readonly message: string;
}

export interface BuilderOptions {
  /** Folder for built sets, by content. Defaults to `builds` in Arcflux's cache. */
  readonly cache?: string;
  /** Called as builds end: how many of how many. */
  readonly onProgress?: (done: number, of: number) => void;
}

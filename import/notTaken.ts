/** Something of an imported folder that the fleet file does not have, or has in another way. */
export interface NotTaken {
  /** Path of the file, as it was given; empty for the folder as a whole. */
  readonly file: string;
  /** Which object, and what of it: `Kustomization apps: spec.validation`; empty for the whole file. */
  readonly path: string;
  /** Why, and what became of it. Never a value of the file: it may be a secret. */
  readonly reason: string;
  readonly matter: Matter;
}

/** What it comes to. */
export type Matter =
  /** A folder that Flux cannot build is not in the fleet file, nor are its clusters. */
  | "folder"
  /** The object, or the cluster, is not in the fleet file. */
  | "object"
  /** A part of the object is not in the fleet file, or is another there. */
  | "part"
  /** Somebody has to look, and to decide. */
  | "decide"
  /** It means the same, written in another way. */
  | "know";

/** Notes down what is not taken from one object. */
export type Report = (path: string, reason: string, matter: Matter) => void;

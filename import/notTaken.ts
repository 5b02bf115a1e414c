/** Something of an imported folder that the fleet file does not have, or has in another way. */
export interface NotTaken {
  /** Path of the file, as it was given; empty for the folder as a whole. */
  readonly file: string;
  /** Which object, and what of it: `Kustomization apps: spec.validation`; empty for the whole file. */
  readonly path: string;
  /** Why, and what became of it. Never a value of the file: it may be a secret. */
  readonly reason: string;
}

/** How the note of a folder begins that Flux cannot build. */
export const doesNotBuild = "does not build";

/** Notes down what is not taken from one object. */
export type Report = (path: string, reason: string) => void;

/** A line about it, without line breaks whatever the file holds. */
export function describeNotTaken({ file, path, reason }: NotTaken): string {
  const parts = [file, path, reason].filter((part) => part !== "");
  return parts.join(": ").replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}

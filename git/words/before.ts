import type { ObjectId } from "./types.ts";

/** What a saved state knows of a file: what was left there, and by which write; without a serial by an older version. */
export interface Remembered {
  readonly blob: ObjectId;
  readonly serial?: number | undefined;
}

/** What a saved state knows of the files that an earlier write left on the branch. */
export interface Before {
  /** The folder that the cluster followed, from the root. */
  readonly folder: string;
  /** By path from the root: what may be there. More than one thing only with a pull request. */
  readonly files: Readonly<Record<string, readonly Remembered[]>>;
  /** Of the last write; absent in the state of an older version, as are the next two. */
  readonly serial?: number | undefined;
  /** Whom the inventory named. */
  readonly owner?: string | undefined;
  /** Folders left and not released. */
  readonly left?: readonly string[] | undefined;
  /** Those of `files` that a pull request adds: where it was closed, they are missing, and nobody took them away. */
  readonly mayLack?: readonly string[] | undefined;
  /** Those of `files` that were taken over with other bytes, to the blob that was to be written. */
  readonly adopted?: Readonly<Record<string, ObjectId>> | undefined;
  /** Commit of the last write, to be named where the state is behind. */
  readonly commit?: ObjectId | undefined;
}

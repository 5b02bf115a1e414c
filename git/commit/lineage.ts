import type { Recorded } from "./inventory.ts";
import type { Remembered } from "../words/before.ts";

/** One file, as the saved state and the inventory tell of it. */
export interface Told {
  /** What the state knows to be possible there: one thing, or with a pull request the base's and the request's. */
  readonly known: readonly Remembered[];
  /** Whether the file may be missing though the state knows it: a pull request that was to add it was closed. */
  readonly mayLack?: boolean;
  /** The file in the inventory. */
  readonly entry: Recorded | undefined;
  /** Serial of the state's last write; undefined where there is no state for this folder. */
  readonly top: number | undefined;
  /** The highest serial in the inventory; undefined without an inventory. */
  readonly newest: number | undefined;
}

/**
 * How the inventory stands to the state:
 *
 * - `asLeft`: it says what this state last wrote, or there is no state and its word counts
 * - `later`: one write further, by a run of ours that was killed before it could save its state
 * - `new`: neither tells of the file
 * - `unlisted`: the state knows it, and the inventory does not: what lies there decides
 * - `setBack`: older than the state, by a revert or a branch that was set back
 * - `broughtBack`: the state has taken it out, and somebody has put it back
 * - `ahead`: further than one killed run: the state is a restored backup, or a copy of one that went on
 */
export type Lineage = "asLeft" | "later" | "new" | "unlisted" | "setBack" | "broughtBack" | "ahead";

export function lineageOf({ known, mayLack = false, entry, top, newest }: Told): Lineage {
  const isNext = (serial: number | undefined): boolean => top !== undefined && serial === top + 1;
  if (entry === undefined) {
    if (known.length === 0) return "new";
    return isNext(newest) || mayLack ? "new" : "unlisted";
  }
  // A rollback writes serials of its own, whatever the state knows.
  if (top === undefined || entry.rolledBack !== undefined) return "asLeft";
  if (isNext(entry.serial)) return "later";
  if (entry.serial > top) return "ahead";
  if (known.length === 0) return "broughtBack";
  const serials = known.map(({ serial }) => serial);
  if (serials.includes(undefined)) return "asLeft";
  const sameWrite = known.filter(({ serial }) => serial === entry.serial);
  if (sameWrite.length > 0) return sameWrite.some(({ blob }) => blob === entry.blob) ? "asLeft" : "ahead";
  if (serials.every((serial) => serial !== undefined && entry.serial < serial)) return "setBack";
  // Between what the base had and what was last proposed lies an earlier proposal of ours.
  return known.length > 1 ? "asLeft" : "ahead";
}

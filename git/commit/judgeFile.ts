import { type Compare, compareText } from "../../values/compareText.ts";
import type { ConflictKind } from "../words/errors.ts";
import type { Blocked } from "../plumbing/locate.ts";
import { sizeText, type TooLarge } from "../plumbing/objects.ts";
import { type Entry, isExecutable, kindOf } from "../plumbing/tree.ts";
import { toText } from "../words/bytes.ts";
import type { ObjectId } from "../words/types.ts";

/** What was left at a path, by inventory or state. */
export interface Left {
  /** One of these. */
  readonly blobs: readonly ObjectId[];
  /** Undefined where only a state tells, which knows no modes. */
  readonly executable: boolean | undefined;
}

/** One wanted file, and what is there. */
export interface Question {
  /** Below the folder of the cluster; tells the format. */
  readonly path: string;
  readonly content: string;
  /** Blob of the content. */
  readonly wanted: ObjectId;
  readonly present: Entry | Blocked | undefined;
  /** Undefined where nobody of ours wrote it. */
  readonly left: Left | undefined;
  /** The content that was wanted when what is there was taken over with other bytes. */
  readonly adoptedAs: ObjectId | undefined;
  /** Whether there is a state that would know of it: without one, what means the same stays as it is. */
  readonly remembers: boolean;
  readonly adopt: "same" | "overwrite" | undefined;
  readonly drift: "stop" | "restore" | undefined;
  /** Contents of blobs that were read. */
  readonly contents: ReadonlyMap<ObjectId, Buffer | TooLarge>;
  readonly compare: Compare;
}

/** What to do: `read` asks for the content of a blob first. */
export type Verdict =
  | { readonly verdict: "write" | "leave" }
  | { readonly verdict: "adopt" | "read"; readonly blob: ObjectId }
  | Refusal;

export interface Refusal {
  readonly verdict: "refuse";
  readonly kind: ConflictKind;
  readonly reason: string;
  readonly differences: readonly string[];
}

/** Decides by blob ids and modes; by contents only where something is there that is neither as wanted nor as it was left. */
export function judgeFile(question: Question): Verdict {
  const { path, content, present, left, wanted, drift, adoptedAs, remembers, contents, compare } = question;
  const restore = drift === "restore";
  if (present === undefined) {
    return left === undefined || restore
      ? { verdict: "write" }
      : refused("changed", `someone deleted it; blob ${short(left.blobs[0])} was written there last`);
  }
  if ("blockedBy" in present) {
    return inTheWay(`${toText(present.blockedBy)} is a ${kindOf(present.entry)}, where a folder is needed`);
  }
  if (kindOf(present) !== "file") {
    return inTheWay(`a ${kindOf(present)} is there, where a file is to be written`);
  }
  const asLeft = left?.blobs.includes(present.id) === true;
  if (left !== undefined && (asLeft || present.id === wanted) && madeExecutable(left, present)) {
    return restore
      ? { verdict: "write" }
      : refused("changed", "someone made it executable after this stack wrote it");
  }
  if (present.id === wanted) return { verdict: "leave" };
  // What was once taken over with other bytes stays as it is until the fleet asks for something else.
  if (asLeft && remembers)
    return adoptedAs === wanted ? { verdict: "adopt", blob: present.id } : { verdict: "write" };
  const bytes = contents.get(present.id);
  if (bytes === undefined) return { verdict: "read", blob: present.id };
  if (asLeft) {
    const same = !("tooLarge" in bytes) && compare(path, bytes.toString("utf8"), content).same;
    return same ? { verdict: "adopt", blob: present.id } : { verdict: "write" };
  }
  return "tooLarge" in bytes
    ? inTheWay(
        `something else is there, of ${sizeText(bytes.tooLarge)}: too large to compare, so it is left as it is`,
      )
    : judgeContent(question, bytes, present.id);
}

/** Whether someone gave a file of ours the mode of a program, which it did not have when it was left. */
export function madeExecutable({ executable }: Left, present: Entry): boolean {
  return executable === false && isExecutable(present);
}

/** A file that is neither as wanted nor as it was left. */
function judgeContent(
  { path, content, left, adopt, drift, compare }: Question,
  bytes: Buffer,
  blob: ObjectId,
): Verdict {
  const theirs = bytes.toString("utf8");
  if (compareText(path, theirs, content).same) return { verdict: "adopt", blob };
  const { same, differences, foreign, unreadable } = compare(path, theirs, content);
  if (left === undefined && unreadable !== undefined) {
    return inTheWay(`it ${unreadable}, so whether it holds objects of others is not known`, differences);
  }
  if (left === undefined && same) return { verdict: "adopt", blob };
  if (foreign.length > 0) {
    const names = foreign.join(", ");
    return inTheWay(
      `it holds objects that are not of this stack (${names}); move them to a file of their own`,
      differences,
    );
  }
  if (left === undefined) {
    return adopt === "overwrite"
      ? { verdict: "write" }
      : refused("exists", "it is there already, and this stack did not write it", differences);
  }
  if (drift === "restore") return { verdict: "write" };
  const how = same ? "; it means the same, so only comments or formatting differ" : "";
  return refused("changed", `someone changed it after this stack wrote it${how}`, differences);
}

export function refused(kind: ConflictKind, reason: string, differences: readonly string[] = []): Refusal {
  return { verdict: "refuse", kind, reason, differences };
}

/** What neither drift nor adopt writes over. */
function inTheWay(reason: string, differences: readonly string[] = []): Refusal {
  return refused("inTheWay", reason, differences);
}

function short(id = ""): string {
  return id.slice(0, 10);
}

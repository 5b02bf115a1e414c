import { trailerPrefix, withTrailers } from "./trailers.ts";
import type { ObjectId } from "./types.ts";

/**
 * How a commit that Arcflux makes on the branch of a stage says what it is. `operation` and `from`:
 *
 * - `promote`: a merge of two parents, the stage as it was and `from`, a commit of the branch before; its tree is that of
 *   `from`, byte for byte
 * - `rollback`: one parent; `from` is the earlier commit of the stage whose tree it restores, or part of it (`only`)
 * - `hotfix`: one parent; `from` is the commit whose changes it takes over, told in git's own words too ("cherry picked from")
 *
 * Author is the person, the committer may be Arcflux. Squashed, forced or made by hand there are no such trailers: then the
 * trees tell (stages/).
 */
export interface StageAct {
  readonly operation: "promote" | "rollback" | "hotfix";
  /** Name of the stage; of a hotfix on the branch that is committed to, that of the stage it was made for. */
  readonly stage: string;
  readonly from: ObjectId;
  /** Stage or branch that a promotion takes from. */
  readonly after?: string | undefined;
  /** Folder or set that is rolled back; everything without it. */
  readonly only?: string | undefined;
  /** Why, in the words of whoever did it. */
  readonly reason?: string | undefined;
  /** Why a freeze, a soak or a guard was passed. */
  readonly emergency?: string | undefined;
  /** What could not be asked, and was promoted all the same. */
  readonly unverified?: string | undefined;
}

const keys = {
  operation: "Operation",
  stage: "Stage",
  from: "From",
  after: "After",
  only: "Only",
  reason: "Reason",
  emergency: "Emergency",
  unverified: "Unverified",
} as const satisfies Record<keyof StageAct, string>;

const operations: readonly string[] = ["promote", "rollback", "hotfix"] satisfies StageAct["operation"][];

/** The message with what the commit is as trailers: `Arcflux-Operation: promote`, `Arcflux-Stage: prod`, … */
export function stageMessage(text: string, act: StageAct): string {
  const picked = act.operation === "hotfix" ? `\n\n(cherry picked from commit ${act.from})` : "";
  return withTrailers(
    `${text.trimEnd()}${picked}`,
    Object.fromEntries(
      Object.entries(keys).map(([field, key]) => [`${trailerPrefix}${key}`, act[field as keyof StageAct]]),
    ),
  );
}

/** What a commit says that it is; undefined where it does not say so. */
export function stageActOf(message: string): StageAct | undefined {
  const last =
    message
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .at(-1) ?? "";
  const valueOf = (key: string): string | undefined =>
    new RegExp(`^${trailerPrefix}${key}: (.+)$`, "m").exec(last)?.[1]?.trim();
  const found = Object.fromEntries(Object.entries(keys).map(([field, key]) => [field, valueOf(key)]));
  const { operation = "", stage, from = "" } = found;
  if (!operations.includes(operation) || stage === undefined || !/^[0-9a-f]{40,64}$/.test(from))
    return undefined;
  return { ...found, operation: operation as StageAct["operation"], stage, from };
}

/** Commits whose changes a commit takes over, by git's own words or ours. */
export function pickedFrom(message: string): readonly ObjectId[] {
  const words = message.matchAll(/^\(cherry picked from commit ([0-9a-f]{40,64})\)$/gm);
  const act = stageActOf(message);
  return [
    ...new Set([...[...words].map(([, id = ""]) => id), ...(act?.operation === "hotfix" ? [act.from] : [])]),
  ];
}

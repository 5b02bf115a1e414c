import type { GitContext, ObjectId, WriteRequest, WriteResult } from "../words/types.ts";

/** A write that waits for its result. */
export interface Member {
  readonly request: WriteRequest;
  readonly context: GitContext;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A member on its way. */
export interface Open {
  readonly member: Member;
  /** Pushes tried with a commit of it. */
  tries: number;
  /** Its commit in the last push, and the newest commit of that push. */
  last?: { readonly commit: ObjectId; readonly head: ObjectId };
}

export function requestsOf(members: readonly Open[]): WriteRequest[] {
  return members.map(({ member }) => member.request);
}

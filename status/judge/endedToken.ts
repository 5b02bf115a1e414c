import type { OtherState } from "../model.ts";

/** What a source says whose credentials are refused: of Flux's own reason, and of hosts that have none for it. */
const refused = /^AuthenticationFailed|^GitOperationFailed: .*(authentication|authorization|\b40[13]\b)/i;

/** Says first that the token has ended, where a source is refused since; `tokenEnds` is a day, YYYY-MM-DD. */
export function afterTheEnd(part: OtherState, tokenEnds: string | undefined, now: Date): OtherState {
  if (tokenEnds === undefined || Date.parse(tokenEnds) > now.getTime()) return part;
  if (part.kind !== "GitRepository" || part.reason === undefined || !refused.test(part.reason)) return part;
  return {
    ...part,
    reason: `the Git token ended on ${tokenEnds}; ${part.reason}`,
    next: "Renew the token, write its new day to repository.expires, and run pulumi up.",
  };
}

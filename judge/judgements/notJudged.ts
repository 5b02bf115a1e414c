import type { SetJudgement } from "../judgement.ts";

/** What could not be looked at is said, so that silence means that it was. */
export const notJudged: SetJudgement = {
  name: "not-judged",
  severity: "warning",
  finds:
    "The set could not be built here: a remote base, a submodule, a Git LFS pointer, or the build engine is missing. " +
    "Nothing that this page lists was looked for in it.",
  judge: ({ build }) => (build.kind === "unjudged" ? [{ message: `was not judged: ${build.why}` }] : []),
};

import type { SetJudgement } from "../judgement.ts";
import { readable } from "../readable.ts";

/** Flux would fail at the folder, so the set, or all of the cluster's flux folder, stops where it is. */
export const build: SetJudgement = {
  name: "build",
  severity: "error",
  finds:
    "The set cannot be built: a file that is not a Kubernetes object, a file that is listed and missing, a patch that fits " +
    "nothing. Flux applies nothing of it any more; in the flux folder, nothing new of any set.",
  judge({ set, build, isBootstrap }) {
    if (build.kind !== "failed") return [];
    const stops = isBootstrap
      ? "so the bootstrap would apply nothing any more, of any set of the cluster"
      : `so Flux would apply nothing new of ${set.name}`;
    const { what, next } = readable(build.message);
    return [{ message: `${what}, ${stops}; ${next}` }];
  },
};

import { show } from "../../values/show.ts";
import type { SetJudgement } from "../judgement.ts";

/** Git has the folder; what source-controller makes of the repository has not. */
export const leftOut: SetJudgement = {
  name: "left-out",
  severity: "error",
  finds:
    "The folder, a component or the flux folder is in the repository, but a `.sourceignore`, or `ignore` or " +
    "`sparseCheckout` of the source, leaves it out; or the revision that the source is pinned to does not have it. " +
    'Flux ends with "kustomization path not found".',
  judge({ set, build, isBootstrap }) {
    if (build.kind !== "missing") return [];
    const source = `${set.sourceRef.kind} ${set.sourceRef.name}`;
    if (build.revision !== undefined) {
      const there = build.near === undefined ? "" : ` (there is ./${build.near})`;
      return [
        {
          field: ["path"],
          message:
            `${show(`./${build.path}`)} is not in ${build.revision}${there}, to which ${source} is pinned, so Flux would not ` +
            "find it; pin a revision that has it, or correct the path",
        },
      ];
    }
    if (!build.left) return [];
    const stops = isBootstrap ? "so Flux would apply nothing of any set" : "so Flux would not find it";
    return [
      {
        field: isBootstrap ? undefined : ["path"],
        message:
          `${show(`./${build.path}`)} is in the repository, but ${source} leaves it out (a symbolic link, .sourceignore, ` +
          `or ignore or sparseCheckout of the source), ${stops}; take it in there, or correct the path`,
      },
    ];
  },
};

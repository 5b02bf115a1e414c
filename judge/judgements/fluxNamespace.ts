import { fluxNamespace as flux } from "../../fleet/model.ts";
import type { SetJudgement } from "../judgement.ts";
import { fluxMark, isKind, locate } from "../objects.ts";
import { objectsOf } from "../subject.ts";

/** Whoever owns Namespace flux-system deletes Flux when it goes. */
export const fluxNamespace: SetJudgement = {
  name: "flux-namespace",
  severity: "warning",
  finds: "The set holds Namespace `flux-system`: removing the set would delete Flux and all of its objects.",
  judge({ set, build, bare, isBootstrap }) {
    if (isBootstrap || set.spec.prune !== true) return [];
    const owns = (objects: ReturnType<typeof objectsOf>) =>
      objects.find(
        (object) =>
          isKind(object, "", "Namespace") && object.name === flux && fluxMark(object, "prune") !== "disabled",
      );
    const found = owns(objectsOf(build));
    // One that got the name by targetNamespace is told as that.
    if (found === undefined || owns(objectsOf(bare)) === undefined) return [];
    const mark = "kustomize.toolkit.fluxcd.io/prune: disabled";
    return [
      {
        message: `${locate(found)} belongs to the set, so removing the set deletes Flux itself; take it out, or annotate it with ${mark}`,
      },
    ];
  },
};

import { showNames } from "../../values/show.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { becomeOne } from "./renamedNamespace.ts";
import { readable } from "../readable.ts";

/** Flux would fail at the folder, so the set, or all of the cluster's flux folder, stops where it is. */
export const build: SetJudgement = {
  name: "build",
  severity: "error",
  finds:
    "The set cannot be built: a file that is not a Kubernetes object, a file that is listed and missing, a patch that fits " +
    "nothing, a variable whose value breaks the text around it. Flux applies nothing of it any more; in the flux folder, nothing new of any set.",
  judge(subject) {
    const { set, build, isBootstrap } = subject;
    // That a namespace makes two Namespaces one says more than what follows from it.
    if (build.kind !== "failed" || becomeOne(subject)) return [];
    const stops = isBootstrap
      ? "so the bootstrap would apply nothing any more, of any set of the cluster"
      : `so Flux would apply nothing new of ${set.name}`;
    if (build.strays !== undefined && build.strays.length > 0) return [stray(build.strays, stops)];
    const { what, next } = readable(build.message);
    return [{ message: `${what}, ${stops}; ${next}` }];
  },
};

/** Without a kustomization.yaml Flux takes every YAML file of the folder for a manifest. */
function stray(files: readonly string[], stops: string): Remark {
  const [one, them] =
    files.length === 1 ? ["is not a Kubernetes object", "it"] : ["are not Kubernetes objects", "them"];
  return {
    message: `${showNames(files, 5)} ${one}, ${stops}; move ${them} away, or list the manifests in a kustomization.yaml`,
  };
}

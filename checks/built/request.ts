import type { BuildOutcome } from "../../build/index.ts";
import type { ClusterSet, PlainMap } from "../../fleet/model.ts";
import { builtObject, type Build } from "../../judge/index.ts";

/** Fields of a set with which it changes what its folder holds. */
const changing = ["targetNamespace", "namePrefix", "nameSuffix", "patches", "images"] as const;

/** The spec of a set's folder without what the set adds; undefined where it adds nothing. */
export function bareSpec({
  spec,
}: Pick<ClusterSet, "spec">): (PlainMap & { readonly path: string }) | undefined {
  if (changing.every((field) => spec[field] === undefined)) return undefined;
  const { path, components, ignoreMissingComponents } = spec;
  return { path, components, ignoreMissingComponents };
}

const notFound = /kustomization path not found/;

/** What a build made, in the words of the judgements. `path` is that of the folder, which git has. */
export function buildOf(outcome: BuildOutcome, path: string): Build {
  switch (outcome.kind) {
    case "built":
      return { kind: "built", objects: outcome.objects.map(({ object, file }) => builtObject(object, file)) };
    case "fault":
      return notFound.test(outcome.message)
        ? { kind: "missing", path, left: true }
        : { kind: "failed", message: outcome.message };
    case "notJudged":
      return { kind: "unjudged", why: outcome.reason };
  }
}

/** Equal for equal builds. */
export function keyOf(outcome: BuildOutcome): string {
  return outcome.kind === "built" ? outcome.key : JSON.stringify(outcome);
}

import { asMap, asText } from "../../values/maps.ts";
import { show } from "../../values/show.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { groups, isKind, locate } from "../objects.ts";
import { type BuiltObject, objectsOf, type Subject } from "../subject.ts";
import { definedFor, filledIn } from "../variables.ts";

/** A window holds back what Git changes, and nothing that a controller fetches by itself. */
export const windowedReleases: SetJudgement = {
  name: "windowed-update",
  severity: "warning",
  readsVariables: true,
  finds:
    "In a set with a window, something that is updated outside of it all the same: a chart version that is a range or comes " +
    "from a ConfigMap, a chart of a branch, a source with an interval of its own, image automation.",
  judge: (subject): Remark[] =>
    subject.set.window === undefined
      ? []
      : objectsOf(subject.build).flatMap((object): Remark[] => {
          const moves = movesBy(object, subject);
          if (moves === undefined) return [];
          const [why, next] = moves;
          return [
            {
              message: `${locate(object)} ${why}, so it changes outside of window ${subject.set.window} too; ${next}`,
            },
          ];
        }),
};

/** What changes it without a commit, and what to write instead. */
function movesBy(object: BuiltObject, { set }: Subject): readonly [why: string, next: string] | undefined {
  const spec = asMap(object.value["spec"]);
  if (spec["suspend"] === true) return undefined;
  if (isKind(object, groups.helm, "HelmRelease")) {
    const chart = asMap(asMap(spec["chart"])["spec"]);
    if (Object.keys(chart).length === 0) return undefined;
    const kind = asText(asMap(chart["sourceRef"])["kind"]);
    if (kind !== "HelmRepository")
      return chart["reconcileStrategy"] === "Revision"
        ? [
            "takes every revision of its source (reconcileStrategy: Revision)",
            "write reconcileStrategy: ChartVersion",
          ]
        : undefined;
    const written = asText(chart["version"]) ?? "*";
    const version = filledIn(written, definedFor(set));
    if (version === undefined)
      return [
        `takes its chart version ${show(written)} from the cluster`,
        "write the version into the manifest",
      ];
    return isExact(version)
      ? undefined
      : [`takes every chart version of ${show(version)}`, "write one version, such as 1.2.3"];
  }
  if (object.group === groups.image && object.kind === "ImageUpdateAutomation")
    return ["commits new images whenever there are some", "move it to a set without a window"];
  if (object.group === groups.source && isFloating(object.kind, spec))
    return [
      `fetches what is new every ${asText(spec["interval"]) ?? "few minutes"}`,
      "pin it to a tag, a commit or a digest, or move it to a set without a window",
    ];
  return undefined;
}

/** Whether what a source takes may change: charts are judged by the releases that take them. */
function isFloating(kind: string, spec: Readonly<Record<string, unknown>>): boolean {
  const ref = asMap(spec["ref"]);
  if (kind === "GitRepository")
    return !["commit", "tag", "name"].some((pin) => asText(ref[pin]) !== undefined);
  if (kind === "OCIRepository") {
    if (asText(ref["digest"]) !== undefined) return false;
    return asText(ref["semver"]) !== undefined || (asText(ref["tag"]) ?? "latest") === "latest";
  }
  return kind === "Bucket";
}

/** One version and no range, with or without `v`: `1.2.3`, `v1.2.3-rc.1+build`. */
export function isExact(version: string): boolean {
  return /^[v=]?\s*\d+\.\d+\.\d+([-+][\w.+-]+)?$/.test(version.trim());
}

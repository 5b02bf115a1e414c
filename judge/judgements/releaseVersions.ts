import { asMap, asText } from "../../values/maps.ts";
import type { SetJudgement } from "../judgement.ts";
import { groups, isKind, locate } from "../objects.ts";
import { objectsOf } from "../subject.ts";

/** Without a version a release takes whatever chart is the newest, on each cluster when that looks. */
export const releaseVersions: SetJudgement = {
  name: "release-version",
  severity: "warning",
  finds:
    "A HelmRelease without a chart version takes the newest chart there is, on every cluster at its own time.",
  judge: ({ set, build }) =>
    set.window !== undefined
      ? [] // There it is told with what else moves outside of the window.
      : objectsOf(build)
          .filter((object) => isKind(object, groups.helm, "HelmRelease"))
          .filter(({ value }) => {
            const chart = asMap(asMap(asMap(value["spec"])["chart"])["spec"]);
            const fromRepository = asText(asMap(chart["sourceRef"])["kind"]) === "HelmRepository";
            return fromRepository && ["*", undefined].includes(asText(chart["version"]));
          })
          .map((object) => ({
            message: `${locate(object)} has no chart version, so every cluster takes the newest chart whenever there is one; write spec.chart.spec.version`,
          })),
};

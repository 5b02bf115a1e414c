import { ownPrefix } from "../../fleet/ownVariables.ts";
import { isAtLeast } from "../../values/fluxVersions.ts";
import { probable } from "../../values/nearest.ts";
import { quoted, showNames } from "../../values/show.ts";
import type { ClusterJudgement, ClusterRemark } from "../judgement.ts";
import { locate } from "../objects.ts";
import { definedFor, needsOf } from "../variables.ts";

/** A variable that nothing defines fails the set, or becomes nothing without a word. */
export const undefinedVariables: ClusterJudgement = {
  name: "undefined-variable",
  severity: "warning",
  finds:
    "`${name}` that nothing defines: Flux 2.9 and later refuse to apply the set, an error; before, they put nothing in its place.",
  judgeCluster: ({ cluster, subjects }) =>
    subjects.flatMap(({ set, build }): ClusterRemark[] => {
      const { names, from, substitutes } = definedFor(set);
      // What a ConfigMap on the cluster holds is not known here.
      if (!substitutes || from.length > 0) return [];
      const isStrict = isAtLeast(cluster.flux.version, "2.9");
      const outcome = isStrict
        ? `Flux ${cluster.flux.version} refuses to apply the set`
        : "Flux would put nothing in its place";
      return [...needsOf(build).names].flatMap(([name, { object, optional }]): ClusterRemark[] => {
        if (optional || names.has(name)) return [];
        const near = probable(name, names.keys());
        const meant = near === undefined ? "" : ` (did you mean ${near}?)`;
        const added =
          name === `${ownPrefix}stage` ? "put the cluster into a stage" : `add ${name} to variables`;
        return [
          {
            set: set.name,
            severity: isStrict ? "error" : "warning",
            message:
              `${locate(object)} has \${${name}}, which nothing defines, so ${outcome}; ${added}${meant}, ` +
              `or write \${${name}:=default}, or $\${${name}} for the text itself`,
          },
        ];
      });
    }),
};

/** What begins like a variable and is none fails the set, in every version. */
export const unreadableVariables: ClusterJudgement = {
  name: "unreadable-variable",
  severity: "error",
  finds:
    "A text that begins like a variable and is none, such as `${a-b}`: every version of Flux refuses the set.",
  judgeCluster: ({ subjects }) =>
    subjects.flatMap(({ set, build }): ClusterRemark[] => {
      const { faults } = needsOf(build);
      if (faults.length === 0 || !definedFor(set).substitutes) return [];
      return [...Map.groupBy(faults, ({ object }) => object)].map(([object, found]) => ({
        set: set.name,
        message:
          `${locate(object)} has ${showNames(
            found.map(({ text }) => quoted(text)),
            3,
          )}, which Flux cannot read as a ` +
          "variable, so it refuses to apply the set; correct it, or write $${ for the text itself",
      }));
    }),
};

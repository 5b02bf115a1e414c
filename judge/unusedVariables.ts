import type { Verdict } from "./judgeFleet.ts";
import type { Severity } from "./judgement.ts";
import { ownPrefix } from "../fleet/ownVariables.ts";
import { showNames } from "../values/show.ts";
import { textsIn } from "../values/maps.ts";
import { substitutions } from "./substitution.ts";
import type { ClusterSubject, Subject } from "./subject.ts";
import { definedFor, hidesNeeds, needsOf } from "./variables.ts";

interface Taker {
  readonly cluster: string;
  readonly set: string;
}

/** A variable may be used in any set of any cluster, so this one looks at the whole fleet. */
export const unusedVariables = {
  name: "unused-variable",
  severity: "warning" as Severity,
  finds: "A variable that no set uses, in no cluster. Not said where something could not be looked at.",

  judgeFleet(clusters: readonly ClusterSubject[]): Verdict[] {
    const takers = new Map<string, Taker[]>();
    const used = new Set<string>();
    for (const { cluster, subjects } of clusters) {
      for (const subject of subjects) {
        const { names } = definedFor(subject.set);
        if (names.size === 0) continue;
        const seen = usesOf(subject);
        for (const name of names.keys()) {
          if (used.has(name) || name.startsWith(ownPrefix)) continue;
          if (seen === undefined || seen.has(name)) used.add(name);
          else {
            const taker = { cluster: cluster.name, set: subject.set.name };
            const known = takers.get(name);
            if (known === undefined) takers.set(name, [taker]);
            else known.push(taker);
          }
        }
      }
    }
    return [...takers].flatMap(([name, all]): Verdict[] => {
      if (used.has(name)) return [];
      const first = all[0]!;
      const inClusters = new Set(all.map(({ cluster }) => cluster));
      const sets = new Set(all.map(({ set }) => set));
      const where = inClusters.size > 1 ? ` (of ${inClusters.size} clusters)` : "";
      return [
        {
          name: unusedVariables.name,
          severity: "warning",
          // Whichever layer has it, be it the set itself.
          path: ["clusters", first.cluster, "sets", first.set, "postBuild", "substitute", name],
          message:
            `nothing uses the variable ${name}${where}: nothing that ${sets.size === 1 ? "set" : "sets"} ` +
            `${showNames(sets, 5)} ${sets.size === 1 ? "applies" : "apply"} has \${${name}}; remove it, or use it`,
        },
      ];
    });
  },
};

/** The variables that a set uses; undefined where it cannot be seen. */
function usesOf({ build, set }: Subject): ReadonlySet<string> | undefined {
  if (build.kind !== "built" || hidesNeeds(build)) return undefined;
  const names = new Set(needsOf(build).names.keys());
  // A patch or an image that fits nothing is told as that, and no reason to call its variable unused.
  for (const field of ["patches", "images", "commonMetadata"])
    for (const text of textsIn(set.spec[field]))
      for (const { name } of substitutions(text).references) names.add(name);
  return names;
}

import { showNames } from "../../values/show.ts";
import { retiredIn } from "../retired.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { locate } from "../objects.ts";
import { objectsOf } from "../subject.ts";

/** API versions that current servers no longer have. */
export const retiredApi: SetJudgement = {
  name: "retired-api",
  severity: "warning",
  finds:
    'An API version that Kubernetes or the cluster\'s version of Flux no longer serves: the set ends with "no matches for kind".',
  judge({ build, cluster }): Remark[] {
    const retired = Map.groupBy(objectsOf(build), (object) => retiredIn(object, cluster.flux.version)?.text);
    return [...retired].flatMap(([text, objects]): Remark[] => {
      if (text === undefined) return [];
      return [{ message: `${showNames(objects.map(locate), 3)} is ${text}` }];
    });
  },
};

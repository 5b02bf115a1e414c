import { clusterLabel } from "../../fleet/management.ts";
import type { Cluster } from "../../fleet/model.ts";
import { asMap, asText } from "../../values/maps.ts";
import { didYouMean, probable } from "../../values/nearest.ts";
import { show } from "../../values/show.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { groups, isKind, locate } from "../objects.ts";
import { objectsOf } from "../subject.ts";
import { definedFor, filledIn } from "../variables.ts";

/** A pack looks for its Cluster by a label; Cluster API says nothing of one that it does not find. */
export const packLabels: SetJudgement = {
  name: "pack-label",
  severity: "warning",
  finds:
    "A management cluster applies a Cluster of Cluster API without the label `arcflux.io/cluster`, or with one that names no " +
    "cluster which it makes: the machines come up, and Flux never does.",
  readsVariables: true,
  judge({ cluster, set, build }): Remark[] {
    const { manages } = cluster;
    if (manages === undefined) return [];
    const defined = definedFor(set);
    return objectsOf(build)
      .filter((object) => isKind(object, groups.clusterApi, "Cluster"))
      .flatMap((object): Remark[] => {
        const label = asText(asMap(asMap(object.value["metadata"])["labels"])[clusterLabel]) ?? "";
        const [value, name] = [filledIn(label, defined), filledIn(object.name, defined)];
        if (value === undefined || name === undefined || manages.includes(value)) return [];
        return [{ message: `${locate({ ...object, name })} ${fault(value, name, { ...cluster, manages })}` }];
      });
  },
};

function fault(
  label: string,
  name: string,
  { name: manager, manages }: Pick<Cluster, "name"> & { readonly manages: readonly string[] },
): string {
  if (label !== "")
    return `has label ${clusterLabel}: ${show(label)}, and no cluster of that name says managedBy: ${manager}; correct the label, or the fleet file.${didYouMean(probable(label, manages))}`;
  const next = manages.includes(name)
    ? `write ${clusterLabel}: ${name}`
    : "write it, with the name that the cluster has in the fleet file";
  return `has no label ${clusterLabel}, so its pack does not find it; ${next}`;
}

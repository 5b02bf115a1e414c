import type { ClusterJudgement, ClusterRemark } from "../judgement.ts";
import { definedKind, groups, isKind, locate } from "../objects.ts";
import { asMap, asText } from "../../values/maps.ts";
import { type ClusterSubject, objectsOf, type Subject } from "../subject.ts";

/** Custom resources come after what defines their kind, or fail until that is there. */
export const crdOrder: ClusterJudgement = {
  name: "crd-order",
  severity: "warning",
  finds:
    "Custom resources that are applied before their kind exists: it is defined in another set that this one does not depend " +
    "on, or by the chart of a HelmRelease of the same set. (A CustomResourceDefinition in the same set is fine: Flux applies it first.)",
  judgeCluster(cluster): ClusterRemark[] {
    const definedIn = new Map<string, Subject>();
    for (const subject of cluster.subjects) {
      for (const object of objectsOf(subject.build)) {
        const kind = definedKind(object);
        if (kind !== undefined) definedIn.set(kind, subject);
      }
    }
    return cluster.subjects.flatMap((subject) => [
      ...fromOtherSet(subject, definedIn, cluster),
      ...fromOwnChart(subject, definedIn),
    ]);
  },
};

function fromOtherSet(
  { set, build }: Subject,
  definedIn: ReadonlyMap<string, Subject>,
  cluster: ClusterSubject,
): ClusterRemark[] {
  const before = waitsFor(set.name, cluster);
  const said = new Set<string>();
  return objectsOf(build).flatMap((object): ClusterRemark[] => {
    const owner = definedIn.get(`${object.group}/${object.kind}`);
    if (owner === undefined || owner.isBootstrap || before.has(owner.set.name) || said.has(owner.set.name))
      return [];
    said.add(owner.set.name);
    return [
      {
        set: set.name,
        message: `${locate(object)} is of a kind that set ${owner.set.name} defines, so ${set.name} fails until that is applied; add ${owner.set.name} to dependsOn`,
      },
    ];
  });
}

/** The set itself, and all that it waits for, at first or second hand. */
function waitsFor(name: string, { subjects }: ClusterSubject): ReadonlySet<string> {
  const sets = new Map(subjects.map(({ set }) => [set.name, set]));
  const found = new Set([name]);
  // A set grows while it is gone through.
  for (const each of found) for (const { name: next } of sets.get(each)?.dependsOn ?? []) found.add(next);
  return found;
}

/** The groups that well-known charts bring, where name and group do not say it by themselves. */
const chartGroups: Readonly<Record<string, string>> = {
  "kube-prometheus-stack": "monitoring.coreos.com",
  "prometheus-operator-crds": "monitoring.coreos.com",
  "rook-ceph": "ceph.rook.io",
  metallb: "metallb.io",
  traefik: "traefik.io",
  istiod: "networking.istio.io",
  "strimzi-kafka-operator": "kafka.strimzi.io",
};

function fromOwnChart({ set, build }: Subject, definedIn: ReadonlyMap<string, Subject>): ClusterRemark[] {
  const objects = objectsOf(build);
  const releases = objects.filter((object) => isKind(object, groups.helm, "HelmRelease"));
  return releases.flatMap((release): ClusterRemark[] => {
    const chart = asText(asMap(asMap(asMap(release.value["spec"])["chart"])["spec"])["chart"]);
    if (chart === undefined) return [];
    const user = objects.find(
      ({ group, kind }) =>
        !definedIn.has(`${group}/${kind}`) && (chartGroups[chart] === group || `${chart}.io` === group),
    );
    if (user === undefined) return [];
    return [
      {
        set: set.name,
        message:
          `${locate(user)} is of a kind that the chart of HelmRelease ${release.name} brings, and Flux applies nothing of a ` +
          "set with an unknown kind in it; move one of them to a set of its own, with dependsOn",
      },
    ];
  });
}

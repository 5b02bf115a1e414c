import { dependencyLoops } from "../dependencyLoops.ts";
import { fluxNamespace, type ClusterSet } from "../model.ts";
import { probable } from "../../values/nearest.ts";
import { show, showNames } from "../../values/show.ts";
import { faultyName } from "../withoutFaults.ts";
import { eachSet, type Taken } from "./eachSet.ts";
import { parentFault } from "./parents.ts";
import { Shared, type Check, type Checked } from "./report.ts";

/** Every set that another waits for exists on the same cluster, and none waits for itself. */
export const checkDependencies: Check = (checked) => {
  const shared = new Shared();
  let cluster: Taken["cluster"] | undefined;
  let names = new Set<string>();
  eachSet(checked, (taken) => {
    if (taken.cluster !== cluster) {
      cluster = taken.cluster;
      names = new Set(cluster.sets.map(({ name }) => name));
    }
    checkEntries(taken, names, shared);
  });
  checkLoops(checked, shared);
  shared.report(checked.report);
};

function checkEntries(
  { cluster, set, at, holders }: Taken,
  names: ReadonlySet<string>,
  shared: Shared,
): void {
  const seen = new Set<string>();
  for (const [index, { name, namespace = fluxNamespace, external }] of set.dependsOn.entries()) {
    const add = (message: string) => shared.add(at("dependsOn", index), message, cluster.name);
    if (name === faultyName) continue;
    const here = namespace === fluxNamespace;
    const key = `${namespace}/${name}`;
    if (seen.has(key)) add(`${show(name)} is listed twice; write it once`);
    seen.add(key);
    const parent = parentFault(cluster, set, { name, namespace });
    if (parent !== undefined) {
      add(parent);
    } else if (here && names.has(name)) {
      if (external) add(`${show(name)} is marked external but is a set of the cluster; drop external`);
    } else if (external) {
      continue;
    } else if (!here) {
      add(
        `depends on ${show(name)} in the namespace ${show(namespace)}, where no set is; write external: true if it exists on the cluster, or drop the entry`,
      );
    } else if (holders.some(({ entry }) => entry.sets?.[name] === null)) {
      add(`depends on ${show(name)}, which is opted out there; drop the entry, or take the set`);
    } else {
      const others = [...names].filter((other) => other !== set.name);
      const near = probable(name, others);
      const hint = near === undefined ? "" : ` Did you mean ${near}?`;
      add(
        `depends on ${show(name)}, which is no set there; give the cluster that set, drop the entry, or write {name: ${name}, external: true} if it is made elsewhere.${hint} Other sets there: ${showNames(others) || "none"}`,
      );
    }
  }
}

function checkLoops(checked: Checked, shared: Shared): void {
  const byCluster = new Map<object, Taken[]>();
  eachSet(checked, (taken) => {
    const known = byCluster.get(taken.cluster);
    if (known) known.push(taken);
    else byCluster.set(taken.cluster, [taken]);
  });
  for (const all of byCluster.values()) {
    for (const loop of dependencyLoops(
      all.map(({ set }) => ({ name: set.name, dependsOn: dependenciesOf(set) })),
    )) {
      const [from = "", to = ""] = loop;
      const { set, cluster, at } = all.find(({ set }) => set.name === from)!;
      const index = set.dependsOn.findIndex(({ name }) => name === to);
      const message = `closes the loop ${loop.join(" -> ")}, and Flux would apply none of them; drop one of these`;
      shared.add(at("dependsOn", index), message, cluster.name);
    }
  }
}

/** Names of the sets of the same cluster that a set waits for. */
function dependenciesOf({ dependsOn }: ClusterSet): string[] {
  return dependsOn.flatMap(({ name, namespace = fluxNamespace }) =>
    namespace === fluxNamespace ? name : [],
  );
}

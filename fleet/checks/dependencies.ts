import { dependencyLoops } from "../dependencyLoops.ts";
import { fluxNamespace, namespaceOf, type Cluster, type ClusterSet } from "../model.ts";
import { tenantObject } from "../resolveTenants.ts";
import { didYouMean, Speller } from "../../values/nearest.ts";
import { show, showNames } from "../../values/show.ts";
import { faultyName } from "../withoutFaults.ts";
import { eachSet, type Taken } from "./eachSet.ts";
import { parentFault } from "./parents.ts";
import { Shared, type Check, type Checked } from "./report.ts";

/** Every set that another waits for exists on the same cluster, and none waits for itself. */
export const checkDependencies: Check = (checked) => {
  const shared = new Shared();
  let there: Names | undefined;
  eachSet(checked, (taken) => {
    if (there?.cluster !== taken.cluster) there = namesOf(taken.cluster);
    checkEntries(taken, there, shared);
  });
  checkLoops(checked, shared);
  shared.report(checked.report);
};

/** The sets and tenants of a cluster, by name, with the words for them in messages. */
interface Names {
  readonly cluster: Cluster;
  readonly all: ReadonlySet<string>;
  /** The same as `namespace/name`. */
  readonly keys: ReadonlySet<string>;
  readonly speller: Speller;
  readonly shown: string;
}

function namesOf(cluster: Cluster): Names {
  const tenants = cluster.tenants.map(({ name }) => tenantObject(name));
  const all = new Set([...cluster.sets.map(({ name }) => name), ...tenants]);
  const keys = new Set([...cluster.sets.map(keyOf), ...tenants.map((name) => `${fluxNamespace}/${name}`)]);
  return { cluster, all, keys, speller: new Speller(all), shown: showNames(all) };
}

function checkEntries(
  { cluster, set, at, holders }: Taken,
  { keys, speller, shown }: Names,
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
    } else if (keys.has(key)) {
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
      const near = speller.probable(name);
      const hint = near === set.name ? "" : didYouMean(near);
      add(
        `depends on ${show(name)}, which is not a set there; give the cluster that set, drop the entry, or write {name: ${name}, external: true} if it is made elsewhere.${hint} Sets there: ${shown}`,
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
    const byName = new Map(all.map((taken) => [taken.set.name, taken]));
    const byKey = new Map(all.map(({ set }) => [keyOf(set), set.name]));
    for (const loop of dependencyLoops(
      all.map(({ set }) => ({ name: set.name, dependsOn: dependenciesOf(set, byKey) })),
    )) {
      const [from = "", to = ""] = loop;
      const { set, cluster, at } = byName.get(from)!;
      const index = set.dependsOn.findIndex(({ name }) => name === to);
      const message = `closes the loop ${showLoop(loop)}, and Flux would apply none of them; drop one of these`;
      shared.add(at("dependsOn", index), message, cluster.name);
    }
  }
}

/** A loop as it is read; of a long one, both ends. */
function showLoop(loop: readonly string[]): string {
  const shown =
    loop.length > 20 ? [...loop.slice(0, 8), `(${loop.length - 12} more)`, ...loop.slice(-4)] : loop;
  return shown.join(" -> ");
}

/** Names of the sets of the same cluster that a set waits for. */
function dependenciesOf({ dependsOn }: ClusterSet, names: ReadonlyMap<string, string>): string[] {
  return dependsOn.flatMap(({ name, namespace = fluxNamespace }) => names.get(`${namespace}/${name}`) ?? []);
}

function keyOf(set: ClusterSet): string {
  return `${namespaceOf(set)}/${set.name}`;
}

import { isDeepStrictEqual } from "node:util";
import { asMap } from "../values/maps.ts";
import { takenApart } from "./takenApart.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A fleet as a value, in which every cluster says its sets whole. */
export interface PlainFleet {
  /** All but sets and clusters. */
  readonly head: Fields;
  readonly clusters: ReadonlyMap<string, PlainCluster>;
}

export interface PlainCluster {
  /** All but the sets. */
  readonly head: Fields;
  /** By name, as the Kustomizations are today. */
  readonly sets: ReadonlyMap<string, Fields>;
  /** Names of the sets that apply a set today, besides the root. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
}

/** The value of a fleet file in which each cluster says its sets whole, so that a path of a finding names one set. */
export function flatValue({ head, clusters }: PlainFleet): Fields {
  return {
    ...head,
    clusters: Object.fromEntries([...clusters].map(([name, cluster]) => [name, clusterValue(cluster)])),
  };
}

/** The value of the fleet file as people would write it: what several clusters say alike stands once in `sets`, and what all take in a group. */
export function fleetValue({ head, clusters: whole }: PlainFleet): Fields {
  const clusters = new Map(
    [...whole].map(([name, cluster]) => [
      name,
      { ...cluster, sets: takenApart(cluster), parents: new Map() },
    ]),
  );
  const shared = sharedSets(clusters);
  const apps = appsOfAll(clusters);
  const own = new Map([...clusters].map(([name, cluster]) => [name, ownFields(cluster, shared)] as const));
  const everywhere = [...shared.keys()].filter((set) =>
    [...own.values()].every((sets) => isDeepStrictEqual(sets.get(set), {})),
  );
  const rest = (name: string): ReadonlyMap<string, Fields> =>
    new Map([...own.get(name)!].filter(([set]) => !everywhere.includes(set)));
  const { clusters: named } = flatValue({
    head,
    clusters: new Map(
      [...clusters].map(([name, cluster]) => [
        name,
        { ...cluster, head: withoutApps(cluster.head, apps), sets: rest(name) },
      ]),
    ),
  });
  return {
    ...head,
    ...(shared.size > 0 && { sets: Object.fromEntries(shared) }),
    ...((everywhere.length > 0 || apps.size > 0) && {
      groups: {
        all: {
          match: {},
          ...(everywhere.length > 0 && { sets: Object.fromEntries(everywhere.map((set) => [set, {}])) }),
          ...(apps.size > 0 && { apps: Object.fromEntries(apps) }),
        },
      },
    }),
    clusters: named,
  };
}

/** Apps that all of several clusters take alike. */
function appsOfAll(clusters: PlainFleet["clusters"]): ReadonlyMap<string, unknown> {
  const [first, ...others] = [...clusters.values()].map(({ head }) => asMap(head["apps"]));
  if (first === undefined || others.length === 0) return new Map();
  return new Map(
    Object.entries(first).filter(([name, app]) => others.every((each) => isDeepStrictEqual(each[name], app))),
  );
}

function withoutApps(head: Fields, everywhere: ReadonlyMap<string, unknown>): Fields {
  if (everywhere.size === 0) return head;
  const { apps, ...rest } = head;
  const own = Object.entries(asMap(apps)).filter(([name]) => !everywhere.has(name));
  return { ...rest, ...(own.length > 0 && { apps: Object.fromEntries(own) }) };
}

function clusterValue({ head, ...tree }: PlainCluster): Fields {
  const sets = takenApart(tree);
  return { ...head, ...(sets.size > 0 && { sets: Object.fromEntries(sets) }) };
}

/** Of each set that several clusters have, the fields that are the same for all of them. */
function sharedSets(clusters: PlainFleet["clusters"]): ReadonlyMap<string, Fields> {
  const byName = new Map<string, Fields[]>();
  for (const { sets } of clusters.values())
    for (const [name, fields] of sets) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [fields]);
      else known.push(fields);
    }
  return new Map(
    [...byName].flatMap(([name, [first, ...others]]) => {
      if (others.length === 0) return [];
      const alike = Object.entries(first!).filter(([key, value]) =>
        others.every((each) => isDeepStrictEqual(each[key], value)),
      );
      return alike.length === 0 ? [] : [[name, Object.fromEntries(alike)] as const];
    }),
  );
}

function ownFields({ sets }: PlainCluster, shared: ReadonlyMap<string, Fields>): ReadonlyMap<string, Fields> {
  return new Map(
    [...sets].map(([name, fields]) => {
      const common = shared.get(name) ?? {};
      return [name, Object.fromEntries(Object.entries(fields).filter(([key]) => !(key in common)))] as const;
    }),
  );
}

import { type Cluster, type ClusterSet, fluxNamespace, namespaceOf, type SourceRef } from "../fleet/model.ts";

/** `external`: a Kustomization or a source that Arcflux does not make. `repository`: the GitRepository of the fleet. */
export type GraphNodeKind = "set" | "source" | "repository" | "window" | "external";

export interface GraphNode {
  /** Unique in the graph, such as `set/pos` or `source/GitRepository/infrastructure`. */
  readonly id: string;
  readonly kind: GraphNodeKind;
  readonly name: string;
  /** What Flux calls it, where it is one object. */
  readonly objectKind?: string;
  /** Only where it is not flux-system. */
  readonly namespace?: string;
  /** A set that is suspended in Git. */
  readonly suspended?: boolean;
}

/** `from` needs `to`: a set its dependencies, its source, the window that opens it. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: "dependsOn" | "source" | "window";
}

export interface Graph {
  readonly cluster: string;
  /** Sorted by id. */
  readonly nodes: readonly GraphNode[];
  /** Sorted by from, kind and to. */
  readonly edges: readonly GraphEdge[];
}

/** What the sets of a cluster need, of each other and of everything else. */
export function graphOf(cluster: Cluster): Graph {
  const { sets } = cluster;
  const own = new Map(sets.map((set) => [set.name, namespaceOf(set)]));
  const nodes = new Map<string, GraphNode>();
  const edges: GraphEdge[] = [];
  const add = (node: GraphNode): string => {
    nodes.set(node.id, node);
    return node.id;
  };

  for (const source of cluster.sources) add(sourceNode(source, cluster));
  for (const set of sets) {
    const from = add(setNode(set));
    edges.push({ from, to: add(sourceNode(set.sourceRef, cluster)), kind: "source" });
    if (set.window !== undefined) {
      const to = add({ id: `window/${set.window}`, kind: "window", name: set.window });
      edges.push({ from, to, kind: "window" });
    }
    for (const { name, namespace } of set.dependsOn) {
      const isSet = own.get(name) === (namespace ?? fluxNamespace);
      const to = isSet ? `set/${name}` : add(externalNode("Kustomization", name, namespace));
      edges.push({ from, to, kind: "dependsOn" });
    }
  }
  const order = ({ from, kind, to }: GraphEdge): string => `${from} ${kind} ${to}`;
  return {
    cluster: cluster.name,
    nodes: [...nodes.values()].sort((a, b) => compare(a.id, b.id)),
    edges: edges.sort((a, b) => compare(order(a), order(b))),
  };
}

function setNode(set: ClusterSet): GraphNode {
  return {
    id: `set/${set.name}`,
    kind: "set",
    name: set.name,
    objectKind: "Kustomization",
    ...(set.suspension !== undefined && { suspended: true }),
  };
}

function sourceNode({ kind, name, namespace }: SourceRef, cluster: Cluster): GraphNode {
  const here = namespace === undefined || namespace === fluxNamespace;
  const id = `source/${kind}/${name}`;
  if (here && cluster.sources.some((source) => source.kind === kind && source.name === name)) {
    return { id, kind: "source", name, objectKind: kind };
  }
  if (here && kind === "GitRepository" && name === cluster.config) {
    return { id, kind: "repository", name, objectKind: kind };
  }
  return externalNode(kind, name, namespace);
}

function externalNode(objectKind: string, name: string, namespace: string | undefined): GraphNode {
  const elsewhere = namespace !== undefined && namespace !== fluxNamespace;
  return {
    id: `external/${objectKind}/${elsewhere ? `${namespace}/` : ""}${name}`,
    kind: "external",
    name,
    objectKind,
    ...(elsewhere && { namespace }),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { Builder } from "../../build/index.ts";
import type { PlainMap } from "../../fleet/model.ts";
import { repositoryReader } from "../repositoryReader.ts";
import { type FoundSets, foundSets, type StateSource, type Unbuilt } from "./foundSets.ts";

/** One object as Flux applies it, with the set that brings it. */
export interface AppliedObject {
  readonly object: PlainMap;
  /** Repository path of the file that it comes from. */
  readonly file: string;
  /** Name of the Kustomization; that of the bootstrap for what lies in the flux folder. */
  readonly set: string;
}

/** A Flux Kustomization of a cluster. */
export interface AppliedSet {
  readonly name: string;
  /** Of the Kustomization, where that is not flux-system. */
  readonly namespace?: string;
  readonly spec: PlainMap;
  readonly objects: readonly AppliedObject[];
}

/** What a cluster applies, with variables put in; sets by name. */
export interface ClusterState {
  readonly sets: readonly AppliedSet[];
  readonly unbuilt: readonly Unbuilt[];
}

/** What a cluster applies of a repository that is at `url` and stands at its branch: from its flux folder on, or from a root. */
export async function clusterState(
  cluster: Parameters<typeof foundSets>[0],
  source: Pick<StateSource, "tree" | "branch" | "url" | "pinned" | "inSource"> &
    Partial<Pick<StateSource, "fills">>,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<ClusterState> {
  const whole = { fills: new Map(), ...source, reader: repositoryReader(source.tree), parsed: new Map() };
  return stateOf(await foundSets(cluster, whole, builder));
}

/** Sets with variables put in. */
export async function stateOf({ sets, unbuilt }: FoundSets): Promise<ClusterState> {
  const filled = await Promise.all(sets.map(({ filled }) => filled()));
  const applied: AppliedSet[] = [];
  const faults: Unbuilt[] = [];
  for (const [index, { name, namespace, spec }] of sets.entries()) {
    const built = filled[index]!;
    const there = namespace === undefined ? {} : { namespace };
    if (built.kind === "fault") faults.push({ set: name, ...there, kind: "fault", message: built.message });
    else
      applied.push({ name, ...there, spec, objects: built.objects.map((each) => ({ ...each, set: name })) });
  }
  return {
    sets: applied.sort((one, other) => (one.name < other.name ? -1 : 1)),
    unbuilt: [...unbuilt, ...faults],
  };
}

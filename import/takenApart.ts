import { asList, type YamlMap } from "../values/maps.ts";

/** Sets of a cluster, and which of them apply which others today. */
export interface Tree {
  readonly sets: ReadonlyMap<string, YamlMap>;
  /** Names of the sets that apply a set today, besides the root. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
}

/**
 * The sets, each applied by the bootstrap alone: one that applies others today leaves them out by a patch, and prunes nothing
 * until a person says so. It would otherwise delete what its last run applied and the bootstrap has not taken over yet.
 */
export function takenApart({ sets, parents }: Tree): ReadonlyMap<string, YamlMap> {
  const children = childrenOf({ sets, parents });
  return new Map(
    [...sets].map(([name, fields]) => {
      const own = children.get(name);
      return [name, own === undefined ? fields : without(fields, own)] as const;
    }),
  );
}

/** Names of the sets that a set applies today, by its name. */
export function childrenOf({ sets, parents }: Tree): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const name of sets.keys())
    for (const parent of parents.get(name) ?? [])
      children.set(parent, [...(children.get(parent) ?? []), name]);
  return children;
}

function without(fields: YamlMap, names: readonly string[]): YamlMap {
  const patches = [...asList(fields["patches"]), patchOf(names)];
  return { ...fields, prune: false, patches };
}

const group = "kustomize.toolkit.fluxcd.io";

function patchOf(names: readonly string[]): YamlMap {
  // The target's name is a pattern for the whole name.
  const name = names.map((each) => each.replaceAll(".", "\\.")).join("|");
  const patch = [
    `$patch: delete`,
    `apiVersion: ${group}/v1`,
    "kind: Kustomization",
    "metadata:",
    "  name: any",
    "",
  ];
  return { target: { group, kind: "Kustomization", name }, patch: patch.join("\n") };
}

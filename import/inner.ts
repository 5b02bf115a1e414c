import { asList, asMap, asText, type YamlMap } from "../values/maps.ts";
import { showNames } from "../values/show.ts";
import { clusterVariables } from "./clusterVariables.ts";
import { takesFromCluster } from "./repository.ts";

/** A Kustomization that a set applies. */
export interface Inner<T> {
  readonly object: T;
  /** The set. */
  readonly parent: string;
  /** The object as its file has it, where that is known. */
  readonly written?: YamlMap | undefined;
}

export interface Judged<T> extends Inner<T> {
  /** Why it stays with that set, where it cannot be a set of the fleet file. */
  readonly stays?: string;
}

/**
 * Kustomizations that sets apply, from the root down, with why some must stay with their set. `direct` are those that the root
 * applies itself. Of two of one name in one set both stay: a patch that leaves one of them would leave the other too.
 */
export function innerOf<T extends { readonly value: YamlMap }>(
  direct: readonly YamlMap[],
  found: readonly Inner<T>[],
): Judged<T>[] {
  const whole = [...direct, ...found.map(({ object }) => object.value)];
  const specs = new Map(whole.map((each) => [nameOf(each), asMap(each["spec"])]));
  const awaited = new Set([...specs.values()].flatMap(dependsOn));
  const byParent = Map.groupBy(found, ({ parent }) => parent);
  const staying = new Set<string>();
  const all: Judged<T>[] = [];
  const seen = new Set<string>();
  const queue = direct.map(nameOf);
  for (let index = 0; index < queue.length; index++) {
    const parent = queue[index]!;
    if (seen.has(parent)) continue;
    seen.add(parent);
    const spec = specs.get(parent) ?? {};
    const children = byParent.get(parent) ?? [];
    const counts = Map.groupBy(children, ({ object }) => nameOf(object.value));
    const ofAll = whyAll(spec, { isAwaited: awaited.has(parent), isStaying: staying.has(parent) });
    for (const child of children) {
      const name = nameOf(child.object.value);
      const twin = counts.get(name)!.length > 1 ? "it applies two of that name" : undefined;
      const stays = ofAll ?? twin ?? whyOne(spec, child);
      if (stays !== undefined) staying.add(name);
      all.push({ ...child, ...(stays !== undefined && { stays }) });
      queue.push(name);
    }
  }
  return all;
}

/** Why nothing that a set applies can be taken from it. */
function whyAll(
  spec: YamlMap,
  { isAwaited, isStaying }: { readonly isAwaited: boolean; readonly isStaying: boolean },
): string | undefined {
  if (isStaying) return "it is no set of the fleet file itself";
  if (spec["suspend"] === true) return "it is suspended, so whether it applies this is not known";
  if (spec["kubeConfig"] !== undefined) return "it applies this to another cluster";
  if (isAwaited && spec["wait"] === true) return "others depend on it, and it waits for all that it applies";
  return undefined;
}

/** Why this one cannot be taken from its set. */
function whyOne(spec: YamlMap, { object, written }: Inner<{ readonly value: YamlMap }>): string | undefined {
  const names = takesFromCluster(spec) ? clusterVariables(object.value, written) : [];
  if (names.length > 0) return `it fills in ${showNames(names, 3)}, whose value only the cluster knows`;
  // Patches come before prefixes and variables, so one by the name that came out would fit nothing.
  return written !== undefined && nameOf(written) !== nameOf(object.value)
    ? `a prefix or a variable makes its name of ${nameOf(written)}, so no patch leaves it out`
    : undefined;
}

function nameOf(object: YamlMap): string {
  return asText(asMap(object["metadata"])["name"]) ?? "";
}

function dependsOn(spec: YamlMap): string[] {
  return asList(spec["dependsOn"]).flatMap((entry) => asText(asMap(entry)["name"]) ?? []);
}

import {
  type Cluster,
  fluxNamespace,
  kustomizationName,
  namespaceOf as namespaceOfSet,
} from "../fleet/model.ts";
import { windowObject } from "../fleet/window/index.ts";
import { ownerNamespaceOf, ownerOf } from "../flux/owner.ts";
import { asMap, asText, type YamlMap } from "../values/maps.ts";
import { isSameRepository } from "../values/repositoryUrl.ts";
import type { OldConfiguration } from "./azure.ts";
import { annotationOf, gitRepositoryOf, keyOf, labelOf, nameOf, namespaceOf } from "./objects.ts";

/** Mark of a Kustomization that an earlier step suspended: what it was stays known when nothing else tells. */
export const adoptedBy = "arcflux.io/adopted-by";

/** Label of what Azure's agent makes of a configuration. */
export const azureName = "clusterconfig.azure.com/name";

/** What tells the roots of others from what is the fleet file's own. */
export interface Ours {
  /** `flux-system/pos`: the bootstrap, the sets, and the Kustomizations of windows. */
  readonly keys: ReadonlySet<string>;
  /** Names of the sets: one that others have may be in another namespace. */
  readonly sets: ReadonlySet<string>;
  /** Of the repository. */
  readonly url: string;
}

export function oursOf({ config, sets }: Pick<Cluster, "config" | "sets">, url: string): Ours {
  const windows = sets.flatMap(({ window }) => (window === undefined ? [] : [windowObject(window)]));
  return {
    keys: new Set([
      ...[`${config}-bootstrap`, ...windows].map((name) => `${fluxNamespace}/${name}`),
      ...sets.map((set) => `${namespaceOfSet(set)}/${set.name}`),
    ]),
    sets: new Set(sets.map(({ name }) => name)),
    url,
  };
}

/** What everything else of others comes from: what configurations in Azure make, or the root on the cluster. */
export function rootsOf(
  kustomizations: readonly YamlMap[],
  gitRepositories: readonly YamlMap[],
  configurations: readonly OldConfiguration[],
  ours: Ours,
): readonly YamlMap[] {
  const made = kustomizations.filter((object) => configurationOf(object, configurations) !== undefined);
  const letGo = kustomizations.filter((object) => isLettingGo(object) && !made.includes(object));
  if (configurations.length > 0 || letGo.length > 0) return [...made, ...letGo];
  const root = rootOf(kustomizations, gitRepositories, ours);
  return root === undefined ? [] : [root];
}

export function configurationOf(
  object: YamlMap,
  configurations: readonly OldConfiguration[],
): string | undefined {
  const name = labelOf(object, azureName);
  return configurations.find((one) => one.name === name && one.namespace === namespaceOf(object))?.name;
}

/** The Kustomization, not ours, that applies most of the sets, or itself from the fleet's repository. */
function rootOf(
  all: readonly YamlMap[],
  gitRepositories: readonly YamlMap[],
  { keys, sets, url }: Ours,
): YamlMap | undefined {
  const urls = new Map(gitRepositories.map((one) => [keyOf(one), asText(asMap(one["spec"])["url"]) ?? ""]));
  const isOfFleet = (object: YamlMap): boolean => {
    const source = gitRepositoryOf(object);
    return (
      source !== undefined && isSameRepository(urls.get(`${source.namespace}/${source.name}`) ?? "", url)
    );
  };
  const counts = new Map<string, number>();
  for (const object of all) {
    const owner = ownerKeyOf(object);
    if (owner === undefined || keys.has(owner)) continue;
    // Who applies itself from another repository is another team's, unless it applies sets of ours.
    const weight =
      owner === keyOf(object) ? (isOfFleet(object) ? 1000 : 0) : sets.has(nameOf(object)) ? 1 : 0;
    counts.set(owner, (counts.get(owner) ?? 0) + weight);
  }
  const [found] = [...counts].filter(([, weight]) => weight > 0).sort(([, one], [, other]) => other - one);
  return found && all.find((each) => keyOf(each) === found[0]);
}

/** Key of the Kustomization that applied an object last. */
export function ownerKeyOf(object: YamlMap): string | undefined {
  const owner = ownerOf(object);
  return owner === undefined ? undefined : `${ownerNamespaceOf(object) ?? fluxNamespace}/${owner}`;
}

/** That Kustomization by its name alone in flux-system, as messages name it. */
export function shownOwnerOf(object: YamlMap): string | undefined {
  const owner = ownerOf(object);
  return owner === undefined ? undefined : kustomizationName(owner, ownerNamespaceOf(object));
}

/** Whether a Kustomization applied another one last. */
export function applies(root: YamlMap, object: YamlMap): boolean {
  return ownerKeyOf(object) === keyOf(root);
}

function isLettingGo(object: YamlMap): boolean {
  return annotationOf(object, adoptedBy) !== undefined;
}

/** The GitRepository that a root takes, where it is there and nothing else takes it. */
export function ownSourceOf(
  root: YamlMap,
  gitRepositories: readonly YamlMap[],
  users: readonly YamlMap[],
): { readonly namespace: string; readonly name: string } | undefined {
  const source = gitRepositoryOf(root);
  if (source === undefined) return undefined;
  const isThere = gitRepositories.some((one) => keyOf(one) === `${source.namespace}/${source.name}`);
  const isUsed = users.some((other) => other !== root && refersTo(other["spec"], source.name));
  return isThere && !isUsed ? source : undefined;
}

/**
 * Whether a spec names a source of that name anywhere, by `sourceRef` or among what a GitRepository includes. The namespace is
 * not looked at: a source that stays for nothing does no harm.
 */
function refersTo(value: unknown, source: string): boolean {
  if (Array.isArray(value)) return value.some((item) => refersTo(item, source));
  return Object.entries(asMap(value)).some(
    ([key, inner]) =>
      ((key === "sourceRef" || key === "repository") && asMap(inner)["name"] === source) ||
      refersTo(inner, source),
  );
}

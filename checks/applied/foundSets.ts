import type { Builder, BuildFault, Built, SourceTree, SourceView, Substitution } from "../../build/index.ts";
import type { Cluster, ClusterSet, PlainMap } from "../../fleet/model.ts";
import { fluxNamespace } from "../../fleet/model.ts";
import { fluxUrl } from "../../fleet/sourceUrl.ts";
import { asMap, asText } from "../../values/maps.ts";
import { type OwnSource, sourceOf } from "../built/sourceOf.ts";
import { type PinnedTrees, pinText } from "../pinnedTrees.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { generatedFolder, type Parsed } from "./generatedFolder.ts";
import { fill, variablesOf } from "./variablesOf.ts";

/** A set that could not be built, or not here. */
export interface Unbuilt {
  readonly set: string;
  /** Of its Kustomization, where that is not flux-system. */
  readonly namespace?: string;
  /** `fault`: Flux could not build it either. */
  readonly kind: "fault" | "notJudged";
  readonly message: string;
}

/** A Kustomization of a cluster with what Flux builds of it. */
export interface FoundSet {
  readonly name: string;
  /** Of the Kustomization, where that is not flux-system. */
  readonly namespace?: string;
  readonly spec: PlainMap;
  readonly built: Built;
  readonly how: Substitution | undefined;
  /** With variables put in, which is done when it is first asked for. */
  readonly filled: () => Promise<Built | BuildFault>;
}

/** What a cluster applies, before variables are put in. */
export interface FoundSets {
  readonly sets: readonly FoundSet[];
  readonly unbuilt: readonly Unbuilt[];
}

/** Where the files of a cluster come from. */
export interface StateSource {
  /** The repository as the cluster sees it, and the same asked for one thing at a time. */
  readonly tree: SourceTree;
  readonly reader: RepositoryReader;
  readonly parsed: Parsed;
  /** Sets with variables put in, by what goes into that. */
  readonly fills: Map<string, Promise<Built | BuildFault>>;
  readonly branch: string;
  /** Defaults to one that nobody can read. */
  readonly pinned?: PinnedTrees;
  /** URL of the repository, by which sources of it are known. */
  readonly url: string;
  /** What is known to lie in other sources, by the reference of a Kustomization; undefined for one that nothing is known of. */
  readonly inSource?: (reference: ClusterSet["sourceRef"]) => SourceTree | undefined;
}

/** The Kustomization that everything else of a cluster comes from. */
export interface RootSet {
  readonly name: string;
  /** Defaults to flux-system. */
  readonly namespace?: string;
  readonly spec: PlainMap;
}

/** Kustomizations that apply Kustomizations are followed so far; nobody nests them deeper on purpose. */
const mostLevels = 5;

/**
 * The Kustomizations of a cluster, found as Flux finds them: from the flux folder on, each with what it builds, those that
 * these apply among them. Nothing here is known from the fleet file but where the flux folder is. `root` takes the place of
 * the bootstrap for a cluster that Arcflux did not make.
 */
export async function foundSets(
  {
    fluxFolder,
    config,
    flux,
    root,
  }: Pick<Cluster, "fluxFolder" | "config" | "flux"> & {
    readonly root?: RootSet;
  },
  { tree, pinned, reader, parsed, fills, branch, url, inSource }: StateSource,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<FoundSets> {
  const sets: FoundSet[] = [];
  const unbuilt: Unbuilt[] = [];
  const sources = new Map<string, PlainMap>();
  const seen = new Set<string>();

  const cluster = { config, follows: branch };
  const isRead = { has: (name: string) => name === branch };
  const ownSource: OwnSource = (name) => {
    const spec = asMap(sources.get(`GitRepository/${fluxNamespace}/${name}`)?.["spec"]);
    return spec["url"] === fluxUrl(url) ? spec : undefined;
  };

  const apply = async (
    set: Kustomization,
    { from, view }: { readonly from: SourceTree; readonly view: SourceView },
    level: number,
  ): Promise<void> => {
    const { spec } = set;
    const path = asText(spec["path"]) ?? "./";
    const [outcome] = await builder.build([{ tree: from, view, spec: { ...spec, path } }]);
    if (outcome?.kind === "built") return take(set, outcome, level);
    const message = outcome?.kind === "fault" ? outcome.message : (outcome?.reason ?? "it was not built");
    unbuilt.push({ ...unbuiltSet(set), kind: outcome?.kind ?? "notJudged", message });
  };

  const take = async (set: Kustomization, built: Built, level: number): Promise<void> => {
    const { spec } = set;
    const how = variablesOf(spec, flux.version, built);
    const key = JSON.stringify([built.key, spec["commonMetadata"], how]);
    const filled = (): Promise<Built | BuildFault> => {
      const known = fills.get(key) ?? (how ? fill(builder, built, how) : Promise.resolve(built));
      fills.set(key, known);
      return known;
    };
    // Only what Flux's own objects say decides on what else there is.
    const decides = built.objects.some(({ object, text }) => text !== undefined && isFlux(object));
    const all = decides ? await filled() : built;
    if (all.kind === "fault") {
      unbuilt.push({ ...unbuiltSet(set), kind: "fault", message: all.message });
      return;
    }
    sets.push({ ...set, built, how, filled });
    for (const { object } of all.objects) if (isFlux(object, "source")) sources.set(keyOf(object), object);
    await Promise.all(
      all.objects
        .filter(({ object }) => isFlux(object, "kustomize") && !seen.has(keyOf(object)))
        .map(({ object }) => {
          seen.add(keyOf(object));
          return follow(object, level + 1);
        }),
    );
  };

  const follow = async (object: PlainMap, level: number): Promise<void> => {
    const { name, namespace } = asMap(object["metadata"]);
    const set = kustomization(asText(name) ?? "", asText(namespace), asMap(object["spec"]) as PlainMap);
    const unseen = (why: string): void =>
      void unbuilt.push({ ...unbuiltSet(set), kind: "notJudged", message: why });
    if (level > mostLevels) return unseen("it is nested too deeply");
    const reference = sourceRefOf(object);
    const told = inSource?.(reference);
    if (told !== undefined) return apply(set, { from: told, view: {} }, level);
    const source = sourceOf({ sourceRef: reference }, cluster, ownSource, isRead);
    if ("elsewhere" in source) return unseen(source.elsewhere);
    const { view } = source;
    if (!("ref" in source)) return apply(set, { from: tree, view }, level);
    const from = await pinned?.(source.ref);
    if (from === undefined) return unseen(`${pinText(source.ref)} of its source could not be read`);
    return apply(set, { from, view }, level);
  };

  const first =
    root === undefined
      ? kustomization(`${config}-bootstrap`, undefined, { path: `./${fluxFolder}`, prune: true })
      : kustomization(root.name, root.namespace, root.spec);
  const generated = root === undefined ? await generatedFolder(fluxFolder, reader, parsed) : undefined;
  // The root is there already, also where it applies itself.
  seen.add(`Kustomization/${first.namespace ?? fluxNamespace}/${first.name}`);
  if (generated !== undefined) await take(first, generated, 0);
  else await apply(first, { from: tree, view: {} }, 0);
  return { sets, unbuilt };
}

type Kustomization = Pick<FoundSet, "name" | "namespace" | "spec">;

function kustomization(name: string, namespace: string | undefined, spec: PlainMap): Kustomization {
  const isElsewhere = namespace !== undefined && namespace !== fluxNamespace;
  return { name, ...(isElsewhere && { namespace }), spec };
}

function unbuiltSet({ name, namespace }: Kustomization): Pick<Unbuilt, "set" | "namespace"> {
  return { set: name, ...(namespace !== undefined && { namespace }) };
}

function sourceRefOf(object: PlainMap): ClusterSet["sourceRef"] {
  const reference = asMap(asMap(object["spec"])["sourceRef"]);
  const namespace = asText(reference["namespace"]) ?? asText(asMap(object["metadata"])["namespace"]);
  return {
    kind: (asText(reference["kind"]) ?? "") as ClusterSet["sourceRef"]["kind"],
    name: asText(reference["name"]) ?? "",
    ...(namespace !== undefined && { namespace }),
  };
}

/** Whether an object is one of Flux's, of any group or of one such as `kustomize` for kustomize.toolkit.fluxcd.io. */
function isFlux(object: PlainMap, group?: "source" | "kustomize"): boolean {
  const version = asText(object["apiVersion"]) ?? "";
  const isKind = group !== "kustomize" || object["kind"] === "Kustomization";
  return isKind && version.includes(`${group ?? ""}.toolkit.fluxcd.io/`);
}

function keyOf(object: PlainMap): string {
  const { namespace, name } = asMap(object["metadata"]);
  return `${asText(object["kind"]) ?? ""}/${asText(namespace) ?? fluxNamespace}/${asText(name) ?? ""}`;
}

import type { Builder, BuildFault, Built, SourceTree, SourceView, Substitution } from "../../build/index.ts";
import type { Cluster, ClusterSet, PlainMap } from "../../fleet/model.ts";
import { fluxNamespace } from "../../fleet/model.ts";
import { fluxUrl } from "../../fleet/sourceUrl.ts";
import { asMap, asText } from "../../values/maps.ts";
import { type OwnSource, sourceOf } from "../built/sourceOf.ts";
import { type PinnedTrees, pinText } from "../pinnedTrees.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { generatedFolder, type Parsed } from "./generatedFolder.ts";
import { variablesOf } from "./variablesOf.ts";

/** A set that could not be built, or not here. */
export interface Unbuilt {
  readonly set: string;
  /** `fault`: Flux could not build it either. */
  readonly kind: "fault" | "notJudged";
  readonly message: string;
}

/** A Kustomization of a cluster with what Flux builds of it. */
export interface FoundSet {
  readonly name: string;
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
    name: string,
    spec: PlainMap,
    { from, view }: { readonly from: SourceTree; readonly view: SourceView },
    level: number,
  ): Promise<void> => {
    const path = asText(spec["path"]) ?? "./";
    const [outcome] = await builder.build([{ tree: from, view, spec: { ...spec, path } }]);
    if (outcome?.kind === "built") return take(name, spec, outcome, level);
    const message = outcome?.kind === "fault" ? outcome.message : (outcome?.reason ?? "it was not built");
    unbuilt.push({ set: name, kind: outcome?.kind ?? "notJudged", message });
  };

  const take = async (name: string, spec: PlainMap, built: Built, level: number): Promise<void> => {
    const how = variablesOf(spec, flux.version, built);
    const key = JSON.stringify([built.key, spec["commonMetadata"], how]);
    const filled = (): Promise<Built | BuildFault> => {
      const known = fills.get(key) ?? (how ? builder.substitute(built, how) : Promise.resolve(built));
      fills.set(key, known);
      return known;
    };
    // Only what Flux's own objects say decides on what else there is.
    const decides = built.objects.some(({ object, text }) => text !== undefined && isFlux(object));
    const all = decides ? await filled() : built;
    if (all.kind === "fault") {
      unbuilt.push({ set: name, kind: "fault", message: all.message });
      return;
    }
    sets.push({ name, spec, built, how, filled });
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
    const name = asText(asMap(object["metadata"])["name"]) ?? "";
    const spec = asMap(object["spec"]) as PlainMap;
    const reference = sourceRefOf(object);
    const told = inSource?.(reference);
    if (told !== undefined && level <= mostLevels) return apply(name, spec, { from: told, view: {} }, level);
    const source = sourceOf({ sourceRef: reference }, cluster, ownSource, isRead);
    const from = "ref" in source ? await pinned?.(source.ref) : tree;
    const why =
      level > mostLevels
        ? "it is nested too deeply"
        : "elsewhere" in source
          ? source.elsewhere
          : from === undefined && "ref" in source
            ? `${pinText(source.ref)} of its source could not be read`
            : undefined;
    if (why !== undefined) unbuilt.push({ set: name, kind: "notJudged", message: why });
    else if (from !== undefined && "view" in source)
      await apply(name, spec, { from, view: source.view }, level);
  };

  const { name, spec } = root ?? {
    name: `${config}-bootstrap`,
    spec: { path: `./${fluxFolder}`, prune: true },
  };
  const generated = root === undefined ? await generatedFolder(fluxFolder, reader, parsed) : undefined;
  // The root is there already, also where it applies itself.
  seen.add(`Kustomization/${root?.namespace ?? fluxNamespace}/${name}`);
  if (generated !== undefined) await take(name, spec, generated, 0);
  else await apply(name, spec, { from: tree, view: {} }, 0);
  return { sets, unbuilt };
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

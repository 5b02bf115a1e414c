import type { Builder, SourceTree, SourceView } from "../../build/index.ts";
import type { Cluster, PlainMap } from "../../fleet/model.ts";
import { fluxNamespace } from "../../fleet/model.ts";
import { asList, asMap, asText } from "../../values/maps.ts";
import { variablesOf } from "./variablesOf.ts";

/** One object as Flux applies it, with the set that brings it. */
export interface AppliedObject {
  readonly object: PlainMap;
  /** Repository path of the file that it comes from. */
  readonly file: string;
  /** Name of the Kustomization; that of the bootstrap for what lies in the flux folder. */
  readonly set: string;
}

/** A set that could not be built, or not here. */
export interface Unbuilt {
  readonly set: string;
  /** `fault`: Flux could not build it either. */
  readonly kind: "fault" | "notJudged";
  readonly message: string;
}

/** A Flux Kustomization of a cluster. */
export interface AppliedSet {
  readonly name: string;
  readonly spec: PlainMap;
  readonly objects: readonly AppliedObject[];
}

/** What a cluster applies: the sets in the order in which they were found, the bootstrap first. */
export interface ClusterState {
  readonly sets: readonly AppliedSet[];
  readonly unbuilt: readonly Unbuilt[];
}

/** Where the files of a cluster come from. */
export interface StateSource {
  /** The repository as the cluster sees it. */
  readonly tree: SourceTree;
  readonly branch: string;
  /** URL of the repository, by which sources of it are known. */
  readonly url: string;
}

/** Kustomizations that apply Kustomizations are followed so far; nobody nests them deeper on purpose. */
const mostLevels = 5;

/**
 * What a cluster applies, found as Flux finds it: from the flux folder on, each Kustomization with what it builds, those
 * that these apply among them. Nothing here is known from the fleet file but where the flux folder is.
 */
export async function clusterState(
  { fluxFolder, config, flux }: Pick<Cluster, "fluxFolder" | "config" | "flux">,
  { tree, branch, url }: StateSource,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<ClusterState> {
  const sets: AppliedSet[] = [];
  const unbuilt: Unbuilt[] = [];
  const sources = new Map<string, PlainMap>();
  const seen = new Set<string>();

  const apply = async (name: string, spec: PlainMap, view: SourceView, level: number): Promise<void> => {
    const path = asText(spec["path"]) ?? "./";
    const [outcome] = await builder.build([{ tree, view, spec: { ...spec, path } }]);
    if (outcome === undefined || outcome.kind !== "built") {
      const message = outcome?.kind === "fault" ? outcome.message : (outcome?.reason ?? "it was not built");
      unbuilt.push({ set: name, kind: outcome?.kind ?? "notJudged", message });
      return;
    }
    const how = variablesOf(spec, flux.version, outcome);
    const built = how === undefined ? outcome : await builder.substitute(outcome, how);
    if (built.kind === "fault") {
      unbuilt.push({ set: name, kind: "fault", message: built.message });
      return;
    }
    const objects = built.objects.map(({ object, file }) => ({ object, file, set: name }));
    sets.push({ name, spec, objects });
    for (const { object } of objects) if (isFlux(object, "source")) sources.set(keyOf(object), object);
    await Promise.all(
      objects
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
    const reference = asMap(spec["sourceRef"]);
    const source = viewOf(reference);
    if (level > mostLevels)
      unbuilt.push({ set: name, kind: "notJudged", message: "it is nested too deeply" });
    else if ("elsewhere" in source) unbuilt.push({ set: name, kind: "notJudged", message: source.elsewhere });
    else await apply(name, spec, source.view, level);
  };

  /** What a source of this repository leaves in; every other source lies elsewhere. */
  const viewOf = (
    reference: Readonly<Record<string, unknown>>,
  ): { view: SourceView } | { elsewhere: string } => {
    const [kind, name] = [asText(reference["kind"]) ?? "", asText(reference["name"]) ?? ""];
    if (kind === "GitRepository" && name === config) return { view: {} };
    const spec = asMap(
      sources.get(`${kind}/${asText(reference["namespace"]) ?? fluxNamespace}/${name}`)?.["spec"],
    );
    if (kind !== "GitRepository" || spec["url"] !== url)
      return { elsewhere: `its source, ${kind} ${name}, lies elsewhere` };
    const { branch: follows, ...pins } = asMap(spec["ref"]);
    const [pin] = Object.entries(pins);
    if (pin !== undefined || follows !== branch)
      return { elsewhere: `its source, ${kind} ${name}, follows ${pinText(pin ?? ["branch", follows])}` };
    const ignore = asText(spec["ignore"]);
    const sparse = asList(spec["sparseCheckout"]).filter((each) => typeof each === "string");
    return {
      view: {
        ...(ignore !== undefined && { ignore }),
        ...(sparse.length > 0 && { sparseCheckout: sparse }),
        ...(asList(spec["include"]).length > 0 && { includes: true }),
      },
    };
  };

  await apply(`${config}-bootstrap`, { path: `./${fluxFolder}`, prune: true }, {}, 0);
  return { sets: sets.sort((one, other) => (one.name < other.name ? -1 : 1)), unbuilt };
}

function pinText([field, value]: readonly [string, unknown]): string {
  return `${field} ${asText(value) ?? ""}`.trim();
}

/** Whether an object is of a group of Flux's, such as `kustomize` for kustomize.toolkit.fluxcd.io. */
function isFlux(object: PlainMap, group: "source" | "kustomize"): boolean {
  const kind = group === "kustomize" ? "Kustomization" : "";
  const version = asText(object["apiVersion"]) ?? "";
  return version.startsWith(`${group}.toolkit.fluxcd.io/`) && (kind === "" || object["kind"] === kind);
}

function keyOf(object: PlainMap): string {
  const { namespace, name } = asMap(object["metadata"]);
  return `${asText(object["kind"]) ?? ""}/${asText(namespace) ?? fluxNamespace}/${asText(name) ?? ""}`;
}

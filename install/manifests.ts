import { type PlainMap, fluxNamespace } from "../fleet/model.ts";
import { isKustomizeController, type StartedFlux, startedFlux } from "../flux/controller.ts";
import { keyOf, refOf, textOf } from "../apply/index.ts";
import { asMap, isMap } from "../values/maps.ts";
import { readYaml } from "../values/readYaml.ts";
import { showSome } from "../values/show.ts";

/** Flux as it is installed: what `flux install --export` prints. */
export interface FluxManifests extends StartedFlux {
  /** Of the text that they were read from. */
  readonly sha256: string;
  readonly objects: readonly PlainMap[];
}

const asExported = "write what `flux install --export` prints";

/** Reads manifests; else every reason why they are not Flux's, each to follow the name of their file. */
export function readManifests(
  text: string,
  sha256: string,
): FluxManifests | { readonly faults: readonly string[] } {
  const read = readYaml(text, { version: "1.1", uniqueKeys: true });
  if ("fault" in read) return { faults: [`${read.fault}; ${asExported}`] };
  const objects = read.documents.filter(isMap) as PlainMap[];
  const refs = objects.map(refOf);
  const nameless = read.documents.length - refs.filter(({ kind, name }) => kind !== "" && name !== "").length;
  const seen = new Set<string>();
  const twice = refs.filter((ref) => seen.size === seen.add(keyOf(ref)).size);
  const fluxOwn = refs.filter(({ apiVersion }) => apiVersion.includes(".toolkit.fluxcd.io/"));
  const secrets = refs.filter(({ apiVersion, kind }) => apiVersion === "v1" && kind === "Secret");
  const some = (found: readonly ReturnType<typeof refOf>[]) => showSome(found.map(textOf));
  const controller = objects.find(isKustomizeController);
  const flux = controller && startedFlux(controller);
  const namespace = asMap(controller?.["metadata"])["namespace"];
  const faults = [
    nameless > 0 &&
      `has ${nameless === 1 ? "a document" : `${nameless} documents`} without a kind or a name; ${asExported}`,
    twice.length > 0 && `has ${some(twice)} twice; take one of each out`,
    fluxOwn.length > 0 &&
      `has objects of Flux itself (${some(fluxOwn)}), which Arcflux makes; take gotk-sync out`,
    secrets.length > 0 &&
      `has Secrets (${some(secrets)}), whose values would be kept in the clear; take them out`,
    controller === undefined && `has no Deployment kustomize-controller; ${asExported}`,
    controller !== undefined &&
      namespace !== fluxNamespace &&
      `is not for the namespace ${fluxNamespace}, where Arcflux's objects are; ${asExported}`,
    controller !== undefined &&
      flux === undefined &&
      "does not say which Flux it is: give kustomize-controller an image with a tag such as v1.9.6",
  ].filter((fault) => fault !== false);
  if (faults.length > 0) return { faults };
  return { sha256, ...flux!, objects };
}

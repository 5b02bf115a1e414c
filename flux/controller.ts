import { asList, asMap, asText, type YamlMap } from "../values/maps.ts";

/** What a controller's Deployment says of the Flux that it is part of. */
export interface FluxOfController {
  /** Such as `2.9`. */
  readonly minor: string;
  /** Such as `2.9.2`, where a label says it; else the minor version. */
  readonly version: string;
}

/** The Flux that manifests start. */
export interface StartedFlux extends FluxOfController {
  /** Whether kustomize-controller is started with multi-tenancy lockdown. */
  readonly isLockedDown: boolean;
}

/** Whether an object is the controller by which manifests say which Flux they start, and how. */
export function isKustomizeController(object: YamlMap): boolean {
  return object["kind"] === "Deployment" && asMap(object["metadata"])["name"] === "kustomize-controller";
}

/** Undefined where that controller does not say which Flux it is. */
export function startedFlux(kustomizeController: YamlMap): StartedFlux | undefined {
  const flux = fluxOfController(kustomizeController);
  return flux && { ...flux, isLockedDown: isLockedDown(kustomizeController) };
}

/** Controllers that have the minor version of Flux itself: 1.9 is part of Flux 2.9. */
const sameMinor = ["kustomize-controller", "source-controller"];

/**
 * The version of Flux by the Deployment of one of its controllers: the image is what runs, and the label that Flux's own
 * manifests carry (`v2.9.2`) names the patch. Undefined where neither says it, as of an image by digest alone.
 */
export function fluxOfController(deployment: YamlMap): FluxOfController | undefined {
  const labels = asMap(asMap(deployment["metadata"])["labels"]);
  const [, labelled, minorOfLabel] =
    /^v?((\d+\.\d+)\.\d+.*)$/.exec(asText(labels["app.kubernetes.io/version"]) ?? "") ?? [];
  const byImage = containersOf(deployment)
    .map(({ image }) => asText(image) ?? "")
    .flatMap((image) => /\/([^/:@]+):v1\.(\d+)\./.exec(image)?.slice(1, 3).join(":") ?? [])
    .map((found) => found.split(":"))
    .find(([name = ""]) => sameMinor.includes(name));
  const minor = byImage === undefined ? minorOfLabel : `2.${byImage[1]}`;
  if (minor === undefined) return undefined;
  return { minor, version: labelled !== undefined && minorOfLabel === minor ? labelled : minor };
}

/** Whether a controller is started so that what it applies stays in its namespace: Flux's multi-tenancy lockdown. */
function isLockedDown(deployment: YamlMap): boolean {
  return containersOf(deployment).some(({ args }) =>
    asList(args).some((arg) => /^--no-cross-namespace-refs(=true)?$/.test(asText(arg) ?? "")),
  );
}

function containersOf(deployment: YamlMap): YamlMap[] {
  const pod = asMap(asMap(asMap(deployment["spec"])["template"])["spec"]);
  return asList(pod["containers"]).map(asMap);
}

import { atOnce, isOurs, keyOf, ownerMark, refOf, textOf } from "../apply/index.ts";
import type { PlainMap } from "../fleet/model.ts";
import { fluxInstanceLabel } from "../flux/fluxInstance.ts";
import { ownerOf } from "../flux/owner.ts";
import { type ApiObject, inParallel, type ObjectApi } from "../status/index.ts";
import { asMap, asText } from "../values/maps.ts";
import { showSome } from "../values/show.ts";

/**
 * Why Flux cannot be installed on a cluster: objects of the manifests are there that `owner` did not make. A sentence with
 * what to do; undefined where nothing is in the way. A namespace may be there: it stays with whoever made it.
 */
export async function othersFlux(
  objects: readonly PlainMap[],
  owner: string,
  api: Pick<ObjectApi, "read">,
): Promise<string | undefined> {
  const found = new Map<string, ApiObject>();
  await inParallel(objects.map(refOf), atOnce, async (ref) => {
    if (ref.kind === "Namespace") return;
    const there = await api.read(ref);
    if (there !== undefined && !isOurs(there, owner)) found.set(keyOf(ref), there);
  });
  const others = objects.map((object) => found.get(keyOf(refOf(object)))).filter((one) => one !== undefined);
  if (others.length === 0) return undefined;
  // What says most about who is behind it.
  const telling = others.map(whose);
  const [by, next] = telling.find(([who]) => who !== somebody[0]) ?? somebody;
  return `Flux is there already, installed by ${by} (${showSome(others.map((one) => textOf(refOf(one))))}). Nothing was changed. ${next}`;
}

const useIt = "Leave flux.install out: Arcflux then uses the Flux that is there.";
const somebody = ["others", useIt] as const;

/** Who made an object of Flux, and what to do about it. */
function whose(object: ApiObject): readonly [by: string, next: string] {
  const { labels, annotations } = asMap(object["metadata"]);
  const marks = { ...asMap(labels), ...asMap(annotations) };
  const stack = ownerMark(object);
  if (stack !== undefined)
    return [`Arcflux for ${stack}`, "Manage the cluster in one stack, or take it out of that one first."];
  if (asText(marks[fluxInstanceLabel]) !== undefined)
    return ["flux-operator", "Leave flux.install out, and upgrade Flux by its FluxInstance."];
  const kustomization = ownerOf(object);
  if (kustomization !== undefined) return [`flux bootstrap (Kustomization ${kustomization})`, useIt];
  const release = asText(marks["meta.helm.sh/release-name"]);
  if (release !== undefined) return [`Helm (release ${release}, as Azure's Flux extension is)`, useIt];
  return somebody;
}

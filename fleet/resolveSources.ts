import { own, type View } from "./layers.ts";
import type { ClusterSet, PlainMap, Source } from "./model.ts";
import type { FleetFile } from "./schema.ts";
import type { Pin } from "./schema/source.ts";
import { fluxUrl } from "./sourceUrl.ts";
import { sourceKey } from "./resolveSets.ts";

/** The sources that sets of a cluster take, with those they include themselves; sorted by name. */
export function resolveSources(
  file: FleetFile,
  view: View,
  sets: readonly ClusterSet[],
  follows: string,
): Source[] {
  const taken = new Set<string>();
  const queue = sets.flatMap(({ sourceRef }) => sourceKey(file, sourceRef) ?? []);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const entry = own(file.sources, name);
    if (entry === undefined || taken.has(name)) continue;
    taken.add(name);
    if (entry.kind !== "GitRepository") continue;
    for (const { repository } of entry.include ?? []) {
      if (own(file.sources, repository.name)?.kind === "GitRepository") queue.push(repository.name);
    }
  }
  return [...taken].sort().map((name) => resolveSource(file, view, name, follows));
}

function resolveSource(file: FleetFile, view: View, name: string, follows: string): Source {
  const { kind, ...spec } = file.sources[name]!;
  const self = kind === "GitRepository" && "url" in spec && spec.url === "self";
  const stated = "ref" in spec ? spec.ref : undefined;
  const ref =
    kind === "Bucket" ? undefined : (pinOf(view, name) ?? stated ?? (self ? { branch: follows } : undefined));
  return {
    name,
    kind,
    spec: {
      ...(spec as PlainMap),
      ...("url" in spec &&
        kind === "GitRepository" && { url: fluxUrl(self ? file.repository.url : spec.url) }),
      ...(ref && { ref: ref }),
    },
    self,
  };
}

/** The pin that the last layer states for a source. */
export function pinOf(view: View, source: string): Pin | undefined {
  const holder = view.holders.findLast(({ entry }) => own(entry.pins ?? {}, source) !== undefined);
  return own(holder?.entry.pins ?? {}, source);
}

import { parseAllDocuments } from "yaml";
import { renderClusterFolder } from "../../flux/folder.ts";
import {
  foundOnCluster,
  importClusters,
  type Imported,
  type ImportOptions,
  objectsOf as objectsIn,
} from "../../import/index.ts";
import { meaningOf } from "../../import/meaning.ts";
import { mustLoad } from "../fleet/fixture.ts";

/** The objects of some files by kind and name, as they are meant. */
export function objectsOf(texts: readonly string[]): Record<string, unknown> {
  const objects: Record<string, unknown> = {};
  for (const text of texts) {
    for (const document of parseAllDocuments(text)) {
      const value = document.toJS() as { kind?: string; metadata?: { name?: string } } | null;
      // Namespaces are made where they are missing, which changes nothing that was there.
      if (value?.kind === undefined || value.kind === "Namespace") continue;
      const { metadata, spec } = meaningOf(renamed(value)) as Record<string, unknown>;
      objects[`${value.kind} ${value.metadata?.name ?? ""}`] = { metadata, spec };
    }
  }
  return objects;
}

/** What Arcflux makes of the old source has a name of its own, since the old one goes on meanwhile. */
function renamed(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value).replaceAll('"name":"flux-system"', '"name":"edge-config"'),
  ) as unknown;
}

/** Imports what files hold, as the objects of one cluster. */
export function importFiles(
  files: Readonly<Record<string, string>>,
  { cluster = "edge-0", ...options }: ImportOptions & { readonly cluster?: string } = {},
): Imported {
  const read = Object.entries(files).map(([file, text]) => objectsIn(file, text));
  const objects = read.flatMap((each) => each.objects);
  return importClusters(
    [foundOnCluster(cluster, objects)],
    options,
    read.flatMap(({ notTaken }) => notTaken),
  );
}

/** What an import gives, and what its fleet file renders to. */
export function roundTrip(
  files: Readonly<Record<string, string>>,
  options: ImportOptions = {},
): Imported & { readonly rendered: Record<string, unknown>; readonly refusals: readonly string[] } {
  const imported = importFiles(files, options);
  const fleet = mustLoad(imported.fleetYaml);
  const rendered = objectsOf(
    fleet.clusters.flatMap((cluster) => Object.values(renderClusterFolder(cluster, fleet))),
  );
  return {
    ...imported,
    rendered,
    refusals: imported.notTaken.map(({ path, reason }) => `${path}: ${reason}`),
  };
}

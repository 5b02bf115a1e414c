import { parseAllDocuments } from "yaml";
import { durationSeconds } from "../../../values/duration.ts";
import { renderClusterFolder } from "../../../flux/folder.ts";
import { importFolder, type Imported, type ImportOptions } from "../../../flux/import/importFolder.ts";
import { mustLoad } from "../../fleet/fixture.ts";

/** Fields that mean the same when they are absent. */
const defaults: Readonly<Record<string, unknown>> = {
  force: false,
  wait: false,
  suspend: false,
  deletionPolicy: "MirrorPrune",
  ignoreMissingComponents: false,
  optional: false,
  substituteStrategy: "WithVariables",
  namespace: "flux-system",
};
const durations: ReadonlySet<string> = new Set(["interval", "retryInterval", "timeout"]);

/** A value with every spelling of the same thing made one: durations as seconds, folders from the root, defaults and the variables that Arcflux adds left out. */
function meaningOf(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => meaningOf(item));
  if (typeof value === "string" && durations.has(key)) return durationSeconds(value);
  if (typeof value === "string" && key === "path")
    return `/${value}`.replace(/\/(\.?\/)*/g, "/").replace(/\/\.?$/, "");
  // What Arcflux makes of it has a name of its own, since the old one goes on meanwhile.
  if (value === "flux-system" && key === "name") return "edge-config";
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name, inner]) => inner !== null && (inner as unknown) !== defaults[name])
    .map(([name, inner]) => [name, meaningOf(inner, name)] as const)
    .filter(([, inner]) => !isEmpty(inner))
    .filter(([name, inner]) => !/^arcflux(\.io\/|_)/.test(name) && !(name === "path" && inner === ""));
  return Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** The objects of some files by kind and name, as they are meant. */
export function objectsOf(texts: readonly string[]): Record<string, unknown> {
  const objects: Record<string, unknown> = {};
  for (const text of texts) {
    for (const document of parseAllDocuments(text)) {
      const value = document.toJS() as { kind?: string; metadata?: { name?: string } } | null;
      if (value?.kind === undefined) continue;
      const { metadata, spec } = meaningOf(value) as Record<string, unknown>;
      objects[`${value.kind} ${value.metadata?.name ?? ""}`] = { metadata, spec };
    }
  }
  return objects;
}

/** What an import gives, and what its fleet file renders to. */
export function roundTrip(
  files: Readonly<Record<string, string>>,
  options: ImportOptions = {},
): Imported & { readonly rendered: Record<string, unknown>; readonly refusals: readonly string[] } {
  const imported = importFolder(files, options);
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

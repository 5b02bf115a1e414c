import { probable } from "../values/nearest.ts";
import { folder } from "../values/repositoryPath.ts";
import { quoted, showNames } from "../values/show.ts";
import type { Cluster, ClusterSet, Fleet } from "../fleet/model.ts";
import { asList, asMap, asText } from "./documents.ts";
import type { Fault } from "./fault.ts";
import { kustomizeFolder } from "./kustomizeFolder.ts";
import { manifestVariables, strings, type ManifestVariables } from "./manifestVariables.ts";
import { isOwnSource } from "./ownSource.ts";
import { relativePath } from "./relativePath.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import { substitutions } from "./substitution.ts";

/** A set with what its manifests refer to. */
interface Use {
  readonly cluster: Cluster;
  readonly set: ClusterSet;
  readonly defined: readonly string[];
  readonly folders: readonly FolderVariables[];
  readonly complete: boolean;
}

interface FolderVariables {
  readonly files: readonly { readonly path: string; readonly found: ManifestVariables }[];
  /** Names that anything in it mentions. */
  readonly used: ReadonlySet<string>;
  readonly complete: boolean;
}

const nothing: ManifestVariables = { references: [], faults: [], complete: true };

/** More than that is a repository of something else, such as the charts of everybody. */
const mostManifests = 1_000;

/**
 * Compares the variables of the sets with the `${…}` of their manifests. Only what can be read in the repository counts;
 * where more comes in from elsewhere, nothing is said about variables that nothing uses.
 *
 * @param strict whether what nothing defines is worth a warning also for versions of Flux that take it as empty
 */
export async function checkVariables(
  fleet: Fleet,
  reader: RepositoryReader,
  strict = false,
): Promise<Fault[]> {
  const known = new Map<string, Promise<FolderVariables>>();
  const variablesOf = (path: string): Promise<FolderVariables> => {
    let found = known.get(path);
    if (found === undefined) known.set(path, (found = folderVariables(path, reader)));
    return found;
  };
  const uses = await Promise.all(
    fleet.clusters.flatMap((cluster) =>
      cluster.sets.filter(isSubstituted).map(async (set): Promise<Use> => {
        const own = isOwnSource(set, cluster, fleet.repository.branch);
        const folders = own ? await Promise.all(builtFolders(set).map(variablesOf)) : [];
        const complete = own && folders.every((each) => each.complete);
        return { cluster, set, defined: Object.keys(substitute(set)), folders, complete };
      }),
    ),
  );
  return [...unused(uses), ...undefinedOnes(uses, strict), ...unreadable(uses)];
}

async function folderVariables(path: string, reader: RepositoryReader): Promise<FolderVariables> {
  const { manifests, configs, complete } = await kustomizeFolder(path, reader);
  const files = await Promise.all(
    manifests.slice(0, mostManifests).map(async (path) => {
      const text = await reader.read(path);
      // Other files are what a generator makes a ConfigMap of: they may mention a variable, and how they arrive is open.
      const found = /\.ya?ml$/.test(path) ? manifestVariables(text ?? "") : nothing;
      return { path, found, mentioned: substitutions(text ?? "").references };
    }),
  );
  const inConfigs = await Promise.all(
    configs.map(async (config) => substitutions((await reader.read(config)) ?? "")),
  );
  const used = [
    ...files.flatMap(({ mentioned }) => mentioned),
    ...inConfigs.flatMap(({ references }) => references),
  ];
  return {
    files,
    used: new Set(used.map(({ name }) => name)),
    complete: complete && manifests.length <= mostManifests && files.every(({ found }) => found.complete),
  };
}

function unused(uses: readonly Use[]): Fault[] {
  const byName = new Map<string, Use[]>();
  for (const use of uses) {
    for (const name of use.defined) byName.set(name, [...(byName.get(name) ?? []), use]);
  }
  return [...byName].flatMap(([name, takers]): Fault[] => {
    if (takers.some((use) => !use.complete || mentions(use, name))) return [];
    const clusters = [...new Set(takers.map(({ cluster }) => cluster.name))];
    const where = clusters.length > 1 ? ` (of ${clusters.length} clusters)` : "";
    return [
      {
        severity: "warning",
        path: ["clusters", clusters[0]!, "variables", name],
        message: `nothing uses the variable ${name}${where}: no manifest of ${sets(takers)} has \${${name}}; remove it, or use it`,
      },
    ];
  });
}

function mentions({ set, folders }: Use, name: string): boolean {
  if (folders.some(({ used }) => used.has(name))) return true;
  for (const text of strings({ ...set.spec, postBuild: undefined })) {
    if (substitutions(text).references.some((reference) => reference.name === name)) return true;
  }
  return false;
}

/** Variables that a manifest needs and a set does not define, once for each file and name. */
function undefinedOnes(uses: readonly Use[], strict: boolean): Fault[] {
  const found = new Map<string, { readonly path: string; readonly name: string; takers: Use[] }>();
  for (const use of uses) {
    const { cluster, set, defined } = use;
    if (asList(postBuild(set)["substituteFrom"]).length > 0) continue;
    if (!strict && !failsUndefined(cluster)) continue;
    for (const { path, found: variables } of use.folders.flatMap(({ files }) => files)) {
      for (const { name, optional } of variables.references) {
        if (optional || defined.includes(name)) continue;
        const key = `${path} ${name}`;
        const entry = found.get(key) ?? { path, name, takers: [] };
        if (!entry.takers.includes(use)) entry.takers.push(use);
        found.set(key, entry);
      }
    }
  }
  return [...found.values()].map(({ path, name, takers }): Fault => {
    const { cluster, set, defined } = takers[0]!;
    const near = probable(name, defined);
    const what = failsUndefined(cluster)
      ? `Flux ${cluster.flux.version} refuses to apply the set`
      : "Flux would put nothing in its place";
    return {
      severity: "warning",
      path: ["clusters", cluster.name, "sets", set.name],
      message:
        `${path} has \${${name}}, which nothing defines for ${sets(takers)}, so ${what}; add ${name} to variables` +
        `${near === undefined ? "" : ` (did you mean ${near}?)`}, or write \${${name}:-default}, or $\${${name}} for the text itself`,
    };
  });
}

/** What Flux cannot read as a variable fails the whole set, in every version. */
function unreadable(uses: readonly Use[]): Fault[] {
  const said = new Set<string>();
  return uses.flatMap(({ cluster, set, folders }) =>
    folders
      .flatMap(({ files }) => files)
      .filter(({ path, found }) => found.faults.length > 0 && !said.has(path) && said.add(path))
      .map(({ path, found }): Fault => ({
        severity: "warning",
        path: ["clusters", cluster.name, "sets", set.name],
        message:
          `${path} has ${showNames(found.faults.map((fault) => quoted(fault)))}, which Flux cannot read as a variable, ` +
          "so it refuses to apply the set; correct it, or write $${ for the text itself",
      })),
  );
}

function isSubstituted(set: ClusterSet): boolean {
  const { substituteFrom, substituteStrategy } = postBuild(set);
  return (
    Object.keys(substitute(set)).length > 0 ||
    asList(substituteFrom).length > 0 ||
    substituteStrategy === "Always"
  );
}

function postBuild({ spec }: ClusterSet): Readonly<Record<string, unknown>> {
  return asMap(spec["postBuild"]);
}

function substitute(set: ClusterSet): Readonly<Record<string, unknown>> {
  return asMap(postBuild(set)["substitute"]);
}

/** The folder of a set, and those of its components, which are relative to it. */
function builtFolders({ spec }: ClusterSet): string[] {
  const path = folder(spec.path);
  const components = asList(spec["components"]).map((component) =>
    relativePath(path, asText(component) ?? ""),
  );
  return [path, ...components.filter((component) => component !== undefined)];
}

/** From 2.9 on, a variable that nothing defines fails the set. */
function failsUndefined({ flux }: Cluster): boolean {
  const [major = 0, minor = 0] = flux.version.split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 9);
}

function sets(takers: readonly Use[]): string {
  const names = [...new Set(takers.map(({ set }) => set.name))];
  return `${names.length === 1 ? "set" : "sets"} ${showNames(names, 5)}`;
}

import { asList, asText, documents, type YamlMap } from "./documents.ts";
import { relativePath } from "./relativePath.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** The names under which kustomize finds its configuration, in no other spelling. */
export const kustomizeNames: readonly string[] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/** What Flux would build from a folder, as far as it can be seen in the repository. */
export interface KustomizeFolder {
  /** Manifests, from the root of the repository. */
  readonly manifests: readonly string[];
  /** Kustomize configurations that were read on the way, with patches and the like in them. */
  readonly configs: readonly string[];
  /** False where something comes from elsewhere: a URL, a chart, a link, a configuration that cannot be read. */
  readonly complete: boolean;
}

/** Folders that may be nested below one another, by resources or on disk, before something is thought to be wrong. */
const mostLevels = 20;

/**
 * Collects the manifests of a folder as Flux does: a kustomize configuration says what there is; without one, every YAML
 * file of it and of the folders below.
 */
export async function kustomizeFolder(folder: string, reader: RepositoryReader): Promise<KustomizeFolder> {
  const found = { manifests: new Set<string>(), configs: new Set<string>(), complete: true };
  const seen = new Set<string>();

  const configured = async (here: string, name: string, level: number): Promise<void> => {
    const file = join(here, name);
    found.configs.add(file);
    const text = await reader.read(file);
    const config = text === undefined ? undefined : documents(text)?.[0];
    if (config === undefined) found.complete = false;
    else await Promise.all(references(config).map((path) => follow(here, path, level)));
  };

  const follow = async (here: string, path: string, level: number): Promise<void> => {
    const target = relativePath(here, path);
    if (target === undefined) found.complete = false;
    else if (await reader.list(target)) await walk(target, level + 1, true);
    else if ((await reader.read(target)) !== undefined) found.manifests.add(target);
    else found.complete = false;
  };

  const walk = async (here: string, level: number, byKustomize: boolean): Promise<void> => {
    if (seen.has(here) || level > mostLevels) return;
    seen.add(here);
    const entries = await reader.list(here);
    const config = entries?.find(({ name }) => kustomizeNames.includes(name));
    if (config !== undefined) return configured(here, config.name, level);
    if (entries === undefined || byKustomize) {
      found.complete = false;
      return;
    }
    await Promise.all(
      entries.map(async ({ name, kind }) => {
        if (kind === "folder") await walk(join(here, name), level + 1, false);
        else if (kind === "file" && /\.ya?ml$/.test(name)) found.manifests.add(join(here, name));
        else if (kind !== "file") found.complete = false;
      }),
    );
  };

  await walk(folder, 0, false);
  return {
    manifests: [...found.manifests].sort(),
    configs: [...found.configs].sort(),
    complete: found.complete,
  };
}

/** Everything a kustomize configuration takes in by path. */
export function references(config: YamlMap): string[] {
  const named = [
    "resources",
    "bases",
    "components",
    "crds",
    "patchesStrategicMerge",
    "transformers",
    "generators",
  ];
  const paths = named.flatMap((key) => asList(config[key]));
  const patches = [
    ...asList(config["patches"]),
    ...asList(config["patchesJson6902"]),
    ...asList(config["replacements"]),
  ];
  const files = ["configMapGenerator", "secretGenerator"]
    .flatMap((key) => asList(config[key]))
    .flatMap((generator) => {
      const { files, envs } = generator as { readonly files?: unknown; readonly envs?: unknown };
      // `name=path` names the key of the file.
      return [...asList(files), ...asList(envs)].map((file) => asText(file)?.replace(/^[^=/]*=/, ""));
    });
  const charts = [...asList(config["helmCharts"]), ...asList(config["helmChartInflationGenerator"])];
  return [
    // A patch may stand in the configuration itself, as YAML.
    ...paths.map(asText).filter((path) => path !== undefined && !path.includes("\n")),
    ...patches.map((patch) => asText((patch as { readonly path?: unknown } | null)?.path)),
    ...files,
    ...charts.map(() => "https://chart"),
  ].filter((path) => path !== undefined);
}

function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

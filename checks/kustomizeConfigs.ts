import { folder } from "../values/repositoryPath.ts";
import { showNames } from "../values/show.ts";
import { asList, asText, documents } from "./documents.ts";
import type { Fault } from "./fault.ts";
import type { GeneratedFiles } from "./generatedFiles.ts";
import type { FluxFolderFiles, HandWritten } from "./handWritten.ts";

/** Errors for kustomize configurations of a flux folder that keep Flux from applying what is generated there. */
export function checkKustomizeConfigs(
  generated: GeneratedFiles,
  { configs, misnamed }: FluxFolderFiles,
): Fault[] {
  const { name, fluxFolder } = generated.cluster;
  const error = (message: string): Fault => ({ severity: "error", path: ["clusters", name], message });
  const faults = misnamed.map((file) =>
    error(
      `${fluxFolder}/${file} is not a name that kustomize takes, so Flux would apply it as an object and fail; ` +
        "name it kustomization.yaml",
    ),
  );
  // With `layout.flux: .` the one that is generated counts too.
  const all = [
    ...configs.map(({ path }) => path),
    ...[...generated.files.keys()].filter((path) => path === `${fluxFolder}/kustomization.yaml`),
  ];
  if (new Set(all).size > 1) {
    faults.push(
      error(
        `${showNames(all)} are kustomize configurations of one folder, of which kustomize takes one; keep one`,
      ),
    );
  }
  return [...faults, ...configs.flatMap((config) => leftOut(config, generated).map(error))];
}

function leftOut(config: HandWritten, generated: GeneratedFiles): string[] {
  const [only] = documents(config.text) ?? [];
  if (only === undefined) return [`${config.path} cannot be read as YAML, so Flux would fail; correct it`];
  if (only["spec"] !== undefined) {
    return [
      `${config.path} is a Flux object under the name of a kustomize configuration, so Flux would fail; rename the file`,
    ];
  }
  const listed = new Set(asList(only["resources"]).flatMap((path) => folder(asText(path) ?? "")));
  const { fluxFolder } = generated.cluster;
  const missing = generated.manifests
    .map((path) => path.slice(fluxFolder.length + 1))
    .filter((file) => !listed.has(file) && file !== config.name);
  if (missing.length === 0) return [];
  return [
    `${config.path} leaves out ${showNames(missing)}, so Flux would never apply what is generated; ` +
      "list them under resources, or remove the file, since without it Flux takes every file of the folder",
  ];
}

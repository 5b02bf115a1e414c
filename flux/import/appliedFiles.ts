import { objectsOf, isMap } from "./documents.ts";

const configs: readonly string[] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
const lists = ["resources", "bases", "components"] as const;

/**
 * Paths of the files that Flux applies from a folder: every one of it and below, unless a kustomize configuration says
 * what there is. `files` holds the text of each file by its path from the folder.
 */
export function appliedFiles(files: Readonly<Record<string, string>>): ReadonlySet<string> {
  const applied = new Set<string>();
  const seen = new Set<string>();

  const walk = (folder: string): void => {
    if (seen.has(folder)) return;
    seen.add(folder);
    const prefix = folder === "" ? "" : `${folder}/`;
    const below = Object.keys(files).filter((path) => path.startsWith(prefix));
    const config = configs.map((name) => prefix + name).find((path) => Object.hasOwn(files, path));
    if (config !== undefined) {
      applied.add(config);
      for (const path of resourcesOf(config, files[config] ?? "")) follow(inside(folder, path));
      return;
    }
    for (const path of below) {
      const slash = path.indexOf("/", prefix.length);
      if (slash < 0) applied.add(path);
      else walk(path.slice(0, slash));
    }
  };

  const follow = (path: string | undefined): void => {
    if (path === undefined) return;
    if (Object.hasOwn(files, path)) applied.add(path);
    else walk(path);
  };

  walk("");
  return applied;
}

function resourcesOf(path: string, text: string): string[] {
  // The name is what kustomize goes by; a Flux object under it would make Flux fail.
  const [config] = objectsOf(path.endsWith("Kustomization") ? `${path}.yaml` : path, text).objects;
  const { value } = config ?? { value: {} };
  return lists.flatMap((key) => {
    const list = isMap(value) ? value[key] : undefined;
    return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
  });
}

/** A path from the imported folder; undefined for what lies outside it. */
function inside(folder: string, path: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

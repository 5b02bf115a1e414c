import { generatedNote } from "../flux/folder.ts";
import { asList, asMap, asText } from "../values/maps.ts";
import { readYaml } from "../values/readYaml.ts";

/**
 * The generated ConfigMaps of a folder of packs that no ClusterResourceSet of it names any more: what it held of manifests
 * that all clusters have left. `files` is what lies in the folder, path below it to text.
 */
export function unusedManifests(files: ReadonlyMap<string, string>): string[] {
  const named = new Set<string>();
  for (const [path, text] of files) {
    if (path.includes("/")) continue;
    const read = readYaml(text, { version: "1.1" });
    // Whoever cannot be read may name any of them.
    if ("fault" in read) return [];
    for (const object of read.documents.map(asMap))
      for (const one of asList(asMap(object["spec"])["resources"]))
        named.add(asText(asMap(one)["name"]) ?? "");
  }
  return [...files.keys()].filter((path) => {
    const [, name] = /^manifests\/([^/]+)\.yaml$/.exec(path) ?? [];
    return name !== undefined && !named.has(name) && files.get(path)!.startsWith(`# ${generatedNote}\n`);
  });
}

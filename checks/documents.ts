import { readYaml } from "../values/readYaml.ts";
import { isMap, type YamlMap } from "../values/maps.ts";

export { asList, asMap, asText, isMap, type YamlMap } from "../values/maps.ts";

/**
 * The documents of a YAML file that are maps; undefined where a part of it cannot be read. Written as Flux reads it: empty
 * documents count for nothing.
 */
export function documents(text: string): readonly YamlMap[] | undefined {
  const read = readYaml(text, { version: "1.1" });
  return "fault" in read ? undefined : read.documents.filter(isMap);
}

import { createHash } from "node:crypto";
import type { Built, BuiltObject } from "../../build/index.ts";
import type { PlainMap } from "../../fleet/model.ts";
import { fullPath } from "../../values/path.ts";
import { documents } from "../documents.ts";
import { isOurs } from "../generatedFiles.ts";
import { foldersDownTo } from "../foldersDownTo.ts";
import { kustomizeNames } from "../kustomizeFolder.ts";
import type { RepositoryReader } from "../repositoryReader.ts";

/** Objects of a file by its text, which many clusters and both sides of a change have in common. */
export type Parsed = Map<string, readonly PlainMap[] | undefined>;

/**
 * What the bootstrap applies of a flux folder that holds generated files alone, without building it: kustomize adds
 * nothing to those. Undefined where something else lies there, or a `.sourceignore` is on the way.
 */
export async function generatedFolder(
  fluxFolder: string,
  reader: RepositoryReader,
  parsed: Parsed,
): Promise<Built | undefined> {
  const lists = await Promise.all(foldersDownTo(fluxFolder).map((folder) => reader.list(folder)));
  const entries = lists.at(-1);
  if (entries === undefined) return undefined;
  if (lists.some((list) => list?.some(({ name }) => name === ".sourceignore"))) return undefined;
  const names = entries.filter(({ name }) => /\.ya?ml$/.test(name)).map(({ name }) => name);
  if (entries.some(({ kind }) => kind !== "file") || names.some((name) => kustomizeNames.includes(name)))
    return undefined;
  const files = names.sort().map((name) => fullPath(fluxFolder, name));
  const texts = await Promise.all(files.map((file) => reader.read(file)));
  const objects: BuiltObject[] = [];
  const hash = createHash("sha256");
  for (const [index, file] of files.entries()) {
    const text = texts[index];
    if (text === undefined || !isOurs(text)) return undefined;
    if (!parsed.has(text)) parsed.set(text, documents(text) as readonly PlainMap[] | undefined);
    const found = parsed.get(text);
    if (found === undefined) return undefined;
    hash.update(`${file}\0${text}\0`);
    for (const object of found) objects.push({ object, file });
  }
  return { kind: "built", key: hash.digest("hex"), objects, warnings: [], files };
}

import type { BuildOutcome } from "../../build/index.ts";
import type { Build } from "../../judge/index.ts";
import { asMap, asText } from "../../values/maps.ts";
import { nameOf } from "../../values/path.ts";
import { documents } from "../documents.ts";
import { kustomizeFolder } from "../kustomizeFolder.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { buildOf } from "./request.ts";

/** What a build made, with what only the repository tells: which files are in the way, and whether the source left them out. */
export async function looked(outcome: BuildOutcome, path: string, reader: RepositoryReader): Promise<Build> {
  const build = buildOf(outcome, path);
  const isDecoded = build.kind === "failed" && /failed to decode Kubernetes/.test(build.message);
  // What took files in and still is empty has a patch that takes everything out.
  const isEmpty = outcome.kind === "built" && outcome.objects.length + outcome.files.length === 0;
  if (!isDecoded && !isEmpty) return build;
  const { manifests, configs } = await kustomizeFolder(path, reader);
  // Of what is hidden source-controller takes nothing either.
  const visible = manifests.filter((file) => !nameOf(file).startsWith("."));
  if (isEmpty)
    return visible.length > 0 && configs.length === 0 ? { kind: "missing", path, left: true } : build;
  if (configs.length > 0) return build;
  const strays = await Promise.all(
    visible.map(async (file) => (isStray(await reader.read(file)) ? [file] : [])),
  );
  return build.kind === "failed" ? { ...build, strays: strays.flat() } : build;
}

/** Whether a file holds something that is not a Kubernetes object. */
function isStray(text = ""): boolean {
  const all = documents(text);
  return (
    all === undefined ||
    // A text alone is a document, and no map.
    (all.length === 0 &&
      text
        .replace(/^\s*(#.*)?$/gm, "")
        .replace(/^---.*$/gm, "")
        .trim() !== "") ||
    all.some(
      (object) =>
        asText(object["kind"]) === undefined ||
        (asText(asMap(object["metadata"])["name"]) === undefined && !Array.isArray(object["items"])),
    )
  );
}

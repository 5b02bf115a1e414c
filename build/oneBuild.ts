import { createHash } from "node:crypto";
import type { PlainMap } from "../fleet/model.ts";
import { folderOf, fullPath } from "../values/path.ts";
import type { BuildStore } from "./buildStore.ts";
import { CannotJudge, GrowingClosure } from "./closure.ts";
import type { Engine } from "./engine.ts";
import type { EngineAnswer } from "./engineCall.ts";
import type { Missing } from "./memoryFiles.ts";
import type { ViewedSource } from "./sourceView.ts";
import type { BuildOutcome } from "./types.ts";

/** What builds, and what remembers. */
export interface BuildPlace {
  readonly engine: Engine;
  readonly version: string;
  readonly store: BuildStore;
}

/** A build that still asks for more after so many rounds asks for something new each time on purpose. */
const mostRounds = 100;
const mostBytes = 64 << 20;
const largeFile = /^version https:\/\/git-lfs\.github\.com\/spec\//;

/**
 * Builds one folder: gives the engine what the folder refers to, and what it then misses, until it misses nothing. What
 * was built of equal content before comes from the store.
 */
export async function oneBuild(
  { engine, version, store }: BuildPlace,
  source: ViewedSource,
  path: string,
  spec: PlainMap,
): Promise<BuildOutcome> {
  try {
    const closure = new GrowingClosure(source);
    const components = Array.isArray(spec["components"]) ? (spec["components"] as readonly unknown[]) : [];
    await closure.addFolder(path);
    for (const each of components) if (typeof each === "string") await closure.addPath(path, each);
    for (let round = 0; round < mostRounds; round++) {
      const key = await keyOf(closure, source, [version, path, JSON.stringify(spec)]);
      const stored = await store.read(key);
      if (stored !== undefined && "outcome" in stored) return stored.outcome;
      if (stored !== undefined) {
        await grow(closure, stored.also);
        continue;
      }
      const files = await contentsOf(closure, source);
      const isolated = [...files].some(
        ([name, content]) => /kustomization/i.test(name) && Buffer.from(content).includes("openapi"),
      );
      const request = { build: { path, spec: { ...spec, path: `./${path}` }, isolated } };
      const answer = await engine.call({ request, folders: closure.folders, files });
      const { missing } = answer;
      if (missing.folders.length + missing.files.length > 0) {
        await store.write(key, { also: missing });
        await grow(closure, missing);
        continue;
      }
      const outcome = outcomeOf(answer, key, path, [...files.keys()], source);
      // What took too long on this machine may end on another day.
      if (!("lost" in answer)) await store.write(key, { outcome });
      return outcome;
    }
    return { kind: "notJudged", reason: "its build asks for ever more files" };
  } catch (error) {
    if (error instanceof CannotJudge) return { kind: "notJudged", reason: error.message };
    throw error;
  }
}

async function grow(closure: GrowingClosure, { folders, files }: Missing): Promise<void> {
  for (const folder of folders) await closure.addListing(folder);
  for (const file of files) await closure.addPath(folderOf(file), file.slice(file.lastIndexOf("/") + 1));
}

/** Equal for equal content: what lies in the folders, and what the files hold. */
async function keyOf(
  { folders, files }: GrowingClosure,
  source: ViewedSource,
  more: readonly string[],
): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(more));
  for (const [folder, entries] of sorted(folders))
    hash.update(JSON.stringify([folder, entries.map(({ name, kind }) => `${name} ${kind}`).sort()]));
  const ids = await Promise.all(
    sorted(files).map(async ([path, id]) => [path, id ?? blobId(await source.read(path))] as const),
  );
  return hash.update(JSON.stringify(ids)).digest("hex");
}

function sorted<T>(map: ReadonlyMap<string, T>): (readonly [string, T])[] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** As git names a file with this content. */
function blobId(content: Uint8Array = new Uint8Array()): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}

async function contentsOf({ files }: GrowingClosure, source: ViewedSource): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  let bytes = 0;
  const all = await Promise.all(
    [...files.keys()].map(async (path) => [path, await source.read(path)] as const),
  );
  for (const [path, content] of all) {
    if (content === undefined) continue;
    contents.set(path, content);
    bytes += content.length;
    if (bytes > mostBytes)
      throw new CannotJudge(`it takes more than ${mostBytes >> 20} MB of the repository`);
    if (largeFile.test(Buffer.from(content.subarray(0, 100)).toString("latin1")))
      throw new CannotJudge(`${path} is a pointer of Git LFS, whose content lies elsewhere`);
  }
  return contents;
}

function outcomeOf(
  answer: EngineAnswer,
  key: string,
  path: string,
  files: readonly string[],
  source: ViewedSource,
): BuildOutcome {
  if ("lost" in answer) return { kind: "notJudged", reason: `its build ${lostWords(answer.lost)}` };
  const { response, output } = answer;
  if (response.error !== undefined) {
    // kustomize says where in the words of the folder that it was given.
    const message = response.error.replaceAll("/repository/", "").replaceAll("/repository", ".");
    const file = files.find((each) => message.includes(each));
    return { kind: "fault", message, ...(file !== undefined && { file }) };
  }
  const links = [...source.links].filter((link) => files.some((file) => folderOf(file) === folderOf(link)));
  return {
    kind: "built",
    key,
    objects: (response.objects ?? []).map(({ json, yaml, file }) => ({
      object: json,
      file: file ?? fullPath(path, "kustomization.yaml"),
      ...(yaml !== undefined && yaml !== "" && { text: yaml }),
    })),
    warnings: [
      ...output
        .split("\n")
        .map((line) =>
          line
            .replace(/^# Warning: /, "")
            .replaceAll("/repository/", "")
            .trim(),
        )
        .filter((line) => line !== ""),
      ...links.map((link) => `${link} is a symbolic link, which source-controller leaves out`),
    ],
    files: [...files].sort(),
  };
}

function lostWords(lost: string): string {
  if (lost === "time") return "did not end within a minute";
  if (lost === "memory") return "needs more than 1 GB of memory";
  if (lost === "depth") return "nests without end, as with an alias of YAML that holds itself";
  return `broke off (${lost.slice(0, 200)})`;
}

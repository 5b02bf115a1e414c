import { readYaml } from "../values/readYaml.ts";
import { textsIn } from "../values/maps.ts";
import { folderOf, fullPath } from "../values/path.ts";
import { isRemote } from "./remote.ts";
import type { ViewedSource } from "./sourceView.ts";
import type { SourceEntry } from "./types.ts";

/** What a build of a folder needs to look at, as far as its kustomization.yaml files tell. */
export interface Closure {
  readonly folders: ReadonlyMap<string, readonly SourceEntry[]>;
  /** Path to what git knows the file by, where that is known without reading it. */
  readonly files: ReadonlyMap<string, string | undefined>;
}

/** Why a build cannot be done here; ends the sentence "set X was not judged: …". */
export class CannotJudge extends Error {
  override readonly name = "CannotJudge";
}

/** Larger than anything that one Kustomization applies, and small enough to be held. */
const most = { files: 5000, levels: 60 };
const configNames = new Set(["kustomization.yaml", "kustomization.yml", "Kustomization"]);

/** A closure that grows: by what a folder or file refers to, and by what a build turned out to want besides. */
export class GrowingClosure implements Closure {
  readonly folders = new Map<string, readonly SourceEntry[]>();
  readonly files = new Map<string, string | undefined>();
  readonly #source: ViewedSource;
  readonly #visited = new Set<string>();

  constructor(source: ViewedSource) {
    this.#source = source;
  }

  /** Adds a folder with all that it refers to; nothing where there is no such folder. */
  async addFolder(folder: string, level = 0): Promise<void> {
    if (this.#visited.has(folder)) return;
    this.#visited.add(folder);
    if (level > most.levels) throw new CannotJudge(`${folder} lies more than ${most.levels} levels deep`);
    const entries = await this.#list(folder);
    const config = entries?.find(({ name, kind }) => kind === "file" && configNames.has(name));
    if (config !== undefined) return this.#addConfig(folder, fullPath(folder, config.name), level);
    await Promise.all(
      (entries ?? []).map(async (entry) => {
        const path = fullPath(folder, entry.name);
        refuseSubmodule(entry, path);
        if (entry.kind === "folder") await this.addFolder(path, level + 1);
        else if (/\.ya?ml$/.test(entry.name)) this.#addFile(path, entry);
      }),
    );
  }

  /** Adds what stands at a path below a folder, if anything does. */
  async addPath(folder: string, path: string, level = 0): Promise<void> {
    let here = folder;
    const names = path.split("/").filter((name) => name !== "" && name !== ".");
    for (const [index, name] of names.entries()) {
      if (name === "..") {
        // What leaves the repository is for the build to refuse.
        if (here === "") return;
        here = folderOf(here);
        continue;
      }
      const entry = (await this.#list(here))?.find((each) => each.name === name);
      if (entry === undefined) return;
      here = fullPath(here, name);
      refuseSubmodule(entry, here);
      if (entry.kind === "folder") continue;
      if (index === names.length - 1) this.#addFile(here, entry);
      return;
    }
    if (here !== folder) await this.addFolder(here, level + 1);
  }

  /** Adds only what a folder holds by name; one that is not there holds nothing. */
  async addListing(folder: string): Promise<void> {
    if ((await this.#list(folder)) === undefined) this.folders.set(folder, []);
  }

  async #addConfig(folder: string, file: string, level: number): Promise<void> {
    const entry = this.folders.get(folder)?.find(({ name }) => fullPath(folder, name) === file);
    this.#addFile(file, entry);
    const content = await this.#source.read(file);
    const config = configOf(content);
    const remote = taken(config).find(isRemote);
    if (remote !== undefined) throw new CannotJudge(`${file} takes ${remote} from the network`);
    await Promise.all([...texts(config)].map((reference) => this.addPath(folder, reference, level)));
  }

  #addFile(path: string, entry: SourceEntry | undefined): void {
    this.files.set(path, entry?.id);
    if (this.files.size > most.files)
      throw new CannotJudge(`it takes more than ${most.files} files of the repository`);
  }

  async #list(folder: string): Promise<readonly SourceEntry[] | undefined> {
    const entries = await this.#source.list(folder);
    if (entries !== undefined) this.folders.set(folder, entries);
    return entries;
  }
}

function refuseSubmodule({ kind }: SourceEntry, path: string): void {
  if (kind === "submodule") throw new CannotJudge(`${path} is a submodule, which lies in another repository`);
}

/** A kustomization.yaml as plain values; undefined where it cannot be read, which the build then says better. */
function configOf(content: Uint8Array | undefined): unknown {
  const read = readYaml(new TextDecoder().decode(content), { version: "1.1" });
  return "fault" in read ? undefined : read.documents[0];
}

/** Fields of kustomization.yaml whose entries, or their `path`, may lie in the network. */
const takers = [
  ...["resources", "bases", "components", "crds", "configurations", "openapi"],
  ...["generators", "transformers", "validators", "patches", "patchesStrategicMerge", "replacements"],
];

function taken(config: unknown): string[] {
  if (typeof config !== "object" || config === null) return [];
  const values = takers.flatMap((field) => (config as Readonly<Record<string, unknown>>)[field] ?? []);
  return values
    .map((value) => (typeof value === "object" && value !== null && "path" in value ? value.path : value))
    .filter((value) => typeof value === "string")
    .filter((value) => !value.includes("\n"));
}

/** Every text in a value that may be a path, or hold one as `key=path`. */
function* texts(value: unknown): Generator<string> {
  for (const text of textsIn(value)) {
    if (text.length > 1024 || text.includes("\n")) continue;
    yield text;
    if (text.includes("=")) yield text.slice(text.indexOf("=") + 1);
  }
}

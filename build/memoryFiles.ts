import type { SourceEntry } from "./types.ts";

export interface FolderNode {
  readonly kind: "folder";
  readonly path: string;
  readonly entries: Map<string, Node>;
  /** Whether all entries are known, and not only those on the way to something else. */
  isListed: boolean;
}

export interface FileNode {
  readonly kind: "file";
  readonly path: string;
  /** Undefined where only the name is known so far. */
  content: Uint8Array | undefined;
}

export type Node = FolderNode | FileNode;

/** What a build looks at: folders with their entries, files with their contents, by path from the root of the repository. */
export interface GivenFiles {
  readonly folders: ReadonlyMap<string, readonly Pick<SourceEntry, "name" | "kind">[]>;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** What a build looked for and was not given. */
export interface Missing {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** A folder as a tree in memory. What a build looks for beyond it is remembered, so that it can be given next time. */
export class MemoryFiles {
  readonly root: FolderNode = folderNode("");
  readonly #folders = new Set<string>();
  readonly #files = new Set<string>();

  constructor({ folders, files }: GivenFiles) {
    for (const [path, entries] of folders) {
      const folder = this.#makeFolder(path);
      folder.isListed = true;
      for (const { name, kind } of entries) {
        if (folder.entries.has(name)) continue;
        const below = path === "" ? name : `${path}/${name}`;
        if (kind === "folder") folder.entries.set(name, folderNode(below));
        if (kind === "file") folder.entries.set(name, { kind: "file", path: below, content: undefined });
      }
    }
    for (const [path, content] of files) {
      const slash = path.lastIndexOf("/");
      const folder = this.#makeFolder(path.slice(0, Math.max(slash, 0)));
      folder.entries.set(path.slice(slash + 1), { kind: "file", path, content });
    }
  }

  get missing(): Missing {
    return { folders: [...this.#folders], files: [...this.#files] };
  }

  /** What stands at a name; `missing` where that is not known. */
  entry(folder: FolderNode, name: string): Node | "missing" | undefined {
    const found = folder.entries.get(name);
    return found === undefined && !this.isKnown(folder) ? "missing" : found;
  }

  /** Whether all entries of a folder are known; else it is remembered as missing. */
  isKnown(folder: FolderNode): boolean {
    if (!folder.isListed) this.#folders.add(folder.path);
    return folder.isListed;
  }

  /** Content of a file; undefined, and remembered as missing, where only its name is known. */
  content(file: FileNode): Uint8Array | undefined {
    if (file.content === undefined) this.#files.add(file.path);
    return file.content;
  }

  #makeFolder(path: string): FolderNode {
    let folder = this.root;
    if (path === "") return folder;
    for (const name of path.split("/")) {
      const found = folder.entries.get(name);
      if (found?.kind === "folder") folder = found;
      else {
        const made = folderNode(folder.path === "" ? name : `${folder.path}/${name}`);
        folder.entries.set(name, made);
        folder = made;
      }
    }
    return folder;
  }
}

function folderNode(path: string): FolderNode {
  return { kind: "folder", path, entries: new Map(), isListed: false };
}

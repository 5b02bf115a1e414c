import { lastChanges } from "../plumbing/history.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import { type Entry, objectId } from "../plumbing/tree.ts";
import { toBytes } from "../words/bytes.ts";
import type { ObjectId } from "../words/types.ts";
import type { Source } from "./planOnTip.ts";

/** Plans on what was fetched; `history` names the branch whose newest commits tell of reverts, where there is one. */
export function scratchSource(scratch: Scratch, history: string | undefined): Source {
  return {
    loadTrees: scratch.loadTrees,
    readBlobs: (ids) => scratch.readBlobs(ids),
    async reverted(paths) {
      if (history === undefined) return new Set();
      const changes = await lastChanges(scratch, history, paths);
      return new Set(paths.filter((path) => changes.get(path)?.reverts !== undefined));
    },
  };
}

/** A tree that is read by paths: a branch, or a folder on disk. Undefined is what is not there. */
export interface PathReader {
  list(folder: string): Promise<
    | readonly {
        readonly name: string;
        readonly kind: string;
        /** Git object of what stands there; absent where nobody has worked it out. */
        readonly id?: string;
        readonly executable?: boolean;
      }[]
    | undefined
  >;
  read(path: string): Promise<string | undefined>;
}

const modes: Readonly<Record<string, string>> = {
  folder: "40000",
  file: "100644",
  symlink: "120000",
  submodule: "160000",
};

/** Plans on a tree that is read by paths, whose folders go by their paths in place of ids; `digits` of an object id. */
export function readerSource(
  reader: PathReader,
  digits: number,
): { readonly source: Source; readonly root: ObjectId } {
  // As long as an id, since the length tells the object format; no path is like that.
  const root = "0".repeat(digits);
  const files = new Map<ObjectId, string>();
  const entriesOf = async (folder: string): Promise<readonly Entry[]> => {
    const found = (await reader.list(folder)) ?? [];
    return Promise.all(
      found.map(async ({ name, kind, id, executable }): Promise<Entry> => {
        const path = folder === "" ? name : `${folder}/${name}`;
        const mode = executable === true ? "100755" : (modes[kind] ?? "0");
        if (kind !== "file")
          return { mode, name: toBytes(name), id: kind === "folder" ? path : (id ?? root) };
        const blob = id ?? objectId("blob", Buffer.from((await reader.read(path)) ?? "", "utf8"), digits);
        files.set(blob, path);
        return { mode, name: toBytes(name), id: blob };
      }),
    );
  };
  const source: Source = {
    loadTrees: async (ids) =>
      new Map(
        await Promise.all(ids.map(async (id) => [id, await entriesOf(id === root ? "" : id)] as const)),
      ),
    readBlobs: async (ids) =>
      new Map(
        await Promise.all(
          ids.map(async (id) => {
            const text = await reader.read(files.get(id) ?? "");
            return [id, Buffer.from(text ?? "", "utf8")] as const;
          }),
        ),
      ),
    reverted: () => Promise.resolve(new Set<string>()),
  };
  return { source, root };
}

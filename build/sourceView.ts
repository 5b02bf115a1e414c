import { folderOf, fullPath } from "../values/path.ts";
import { ignores, type IgnoreFile } from "./ignorePatterns.ts";
import { sourceReader, type SourceReader } from "./sourceReader.ts";
import type { SourceEntry, SourceTree, SourceView } from "./types.ts";

const ignoreFile = ".sourceignore";

/** A source as it reaches the cluster: what source-controller makes of a commit. */
export interface ViewedSource extends SourceReader {
  /** Symbolic links that were met, which source-controller leaves out. */
  readonly links: ReadonlySet<string>;
}

/**
 * What source-controller leaves of a tree: nothing that `.sourceignore` or the source's `ignore` names, no links, and
 * with `sparseCheckout` only those folders. Of `.sourceignore` only those on the way to a folder are looked at.
 */
export function sourceView(tree: SourceTree, { ignore, sparseCheckout }: SourceView = {}): ViewedSource {
  const reader = sourceReader(tree);
  const links = new Set<string>();
  const sparse = sparseCheckout?.map((folder) => folder.replace(/^\.\//, "").replace(/\/+$/, ""));
  const known = new Map<string, Promise<readonly IgnoreFile[]>>();

  /** Patterns that count in a folder, from the root on. */
  const patternsOf = (folder: string): Promise<readonly IgnoreFile[]> => {
    let found = known.get(folder);
    if (found === undefined) known.set(folder, (found = readPatterns(folder)));
    return found;
  };

  const readPatterns = async (folder: string): Promise<readonly IgnoreFile[]> => {
    const above = folder === "" ? [] : await patternsOf(folderOf(folder));
    const entries = await reader.list(folder);
    if (!entries?.some(({ name, kind }) => name === ignoreFile && kind === "file")) return above;
    const content = await reader.read(fullPath(folder, ignoreFile));
    return content === undefined ? above : [...above, { folder, text: new TextDecoder().decode(content) }];
  };

  const listed = new Map<string, Promise<readonly SourceEntry[] | undefined>>();
  const list = (folder: string): Promise<readonly SourceEntry[] | undefined> => {
    let found = listed.get(folder);
    if (found === undefined) listed.set(folder, (found = listOf(folder)));
    return found;
  };

  const listOf = async (folder: string): Promise<readonly SourceEntry[] | undefined> => {
    if (folder !== "") {
      const siblings = await list(folderOf(folder));
      if (
        !siblings?.some((each) => each.kind === "folder" && fullPath(folderOf(folder), each.name) === folder)
      )
        return undefined;
    }
    return visible(folder);
  };

  /** What is left of a folder's entries, whether or not the folder itself is. */
  const visible = async (folder: string): Promise<readonly SourceEntry[] | undefined> => {
    const entries = await reader.list(folder);
    const written = await patternsOf(folder);
    const ignored = ignores(ignore === undefined ? written : [...written, { folder: "", text: ignore }]);
    const isLeft = async ({ name, kind }: SourceEntry): Promise<boolean> => {
      const path = fullPath(folder, name);
      if (kind === "symlink") links.add(path);
      if (kind === "symlink" || (sparse !== undefined && !isFetched(path, kind, sparse))) return false;
      const isFolder = kind === "folder";
      if (!ignored.leavesOut(path, isFolder)) return true;
      if (!isFolder) return false;
      // Below an ignored folder another pattern may take something back, and with it the folder.
      return ignored.mayTakeBack(path) && ((await visible(path))?.length ?? 0) > 0;
    };
    const left = await Promise.all((entries ?? []).map(isLeft));
    return entries?.filter((_, index) => left[index]);
  };

  return { list, read: reader.read, links };
}

/** Whether a path lies in one of the folders, or on the way there. */
function isFetched(path: string, kind: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) =>
      folder === "" ||
      path === folder ||
      path.startsWith(`${folder}/`) ||
      (kind === "folder" && folder.startsWith(`${path}/`)),
  );
}

import { batches, type SourceTree } from "../build/index.ts";
import type { NotTaken } from "./notTaken.ts";

/** YAML files by their path in the repository, and what was passed over. */
export interface FoundFiles {
  readonly files: Readonly<Record<string, string>>;
  readonly unread: readonly NotTaken[];
}

/** Larger files are none that Flux's objects are written in by hand. */
const mostBytes = 5 * 1024 * 1024;

/** The texts of all YAML files in a folder of a repository and below it. Rejects with the tree's own error. */
export async function filesBelow(tree: SourceTree, folder: string): Promise<FoundFiles> {
  const list = batches()((folders: readonly string[]) => tree.list(folders));
  const paths: string[] = [];
  const unread: NotTaken[] = [];

  const walk = async (here: string): Promise<void> => {
    const entries = (await list(here)) ?? [];
    await Promise.all(
      entries.map(async ({ name, kind }) => {
        const path = here === "" ? name : `${here}/${name}`;
        if (kind === "folder") await walk(path);
        else if (kind === "file") {
          if (/\.ya?ml$/.test(name)) paths.push(path);
        } else {
          // What a link points at may lie anywhere, and a pipe never ends.
          const what = kind === "symlink" ? "is a symbolic link" : "is not a regular file";
          unread.push({ file: path, path: "", reason: `${what}, and was not read`, matter: "decide" });
        }
      }),
    );
  };

  await walk(folder);
  const contents = await tree.read(paths.sort());
  const files: Record<string, string> = {};
  for (const [path, content] of contents) {
    if (content.length <= mostBytes) files[path] = new TextDecoder().decode(content);
    else
      unread.push({
        file: path,
        path: "",
        reason: "is larger than 5 MiB, and was not read",
        matter: "decide",
      });
  }
  return { files, unread: unread.sort((one, other) => (one.file < other.file ? -1 : 1)) };
}

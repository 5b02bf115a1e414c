import { copyFile, lstat, readFile, readlink, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { folderTree } from "../checks/folderTree.ts";
import { ownFiles } from "../checks/ownFiles.ts";
import { repositoryReader } from "../checks/repositoryReader.ts";
import { makeFolder } from "../disk/makeFolder.ts";
import { replaceFile } from "../disk/wholeFile.ts";
import type { Cluster } from "../fleet/model.ts";
import { fullPath, pathBelow } from "../values/path.ts";
import { showSome } from "../values/show.ts";
import { UsageError } from "./fleetCommand.ts";
import { requireClone } from "./requireClone.ts";
import { WriteError } from "./writeFiles.ts";

/** Files of a cluster that others wrote, and where a clone has them: paths from the root of the repository. */
export interface FolderCopy {
  readonly root: string;
  readonly files: readonly { readonly from: string; readonly to: string; readonly isLink: boolean }[];
  /** Copies in which the name or the folder of the other cluster stands. */
  readonly naming: readonly string[];
  /** Copies that are encrypted, for whom the other cluster's are. */
  readonly encrypted: readonly string[];
}

/** Larger files are copied without a look at what they say. */
const mostBytes = 1 << 20;

/**
 * What is copied for a clone in a working copy of the repository: all files below the folder of a cluster that an update does
 * not write, and that are no other cluster's. Throws UsageError where a file that says something else is in the way.
 */
export async function folderCopy(
  root: string,
  from: Cluster,
  to: Cluster,
  others: readonly Cluster[],
): Promise<FolderCopy> {
  await requireClone(root);
  const own = await ownFiles(from, [to, ...others], repositoryReader(folderTree(root)));
  const copy = { root, files: [], naming: [], encrypted: [] } as { root: string } & Mutable;
  const inTheWay: string[] = [];
  for (const { path, isLink } of own) {
    const size = isLink ? 0 : (await lstat(join(root, path))).size;
    const text = isLink || size > mostBytes ? "" : await readFile(join(root, path), "utf8");
    const target = fullPath(to.folder, pathBelow(from.folder, path));
    const there = await sameAt(join(root, path), join(root, target));
    if (there === false) inTheWay.push(target);
    if (there === undefined) copy.files.push({ from: path, to: target, isLink });
    if (names(text, from)) copy.naming.push(target);
    if (/^sops:/m.test(text)) copy.encrypted.push(target);
  }
  if (inTheWay.length > 0)
    throw new UsageError(
      `${showSome(inTheWay)} ${inTheWay.length === 1 ? "is" : "are"} there already in ${root}, and nothing is written over. Nothing was changed; move that away.`,
    );
  return copy;
}

interface Mutable {
  readonly files: { from: string; to: string; isLink: boolean }[];
  readonly naming: string[];
  readonly encrypted: string[];
}

/** Copies; what was made is taken back where something fails, and by the function that is returned. */
export async function copied({ root, files }: FolderCopy): Promise<() => Promise<void>> {
  const made: string[] = [];
  const undo = async (): Promise<void> => {
    for (const path of made) await rm(path, { force: true });
  };
  try {
    for (const { from, to, isLink } of files) {
      const [source, target] = [join(root, from), join(root, to)];
      await makeFolder(dirname(target));
      if (isLink) await symlink(await readlink(source), target);
      else await replaceFile(target, (fresh) => copyFile(source, fresh));
      made.push(target);
    }
  } catch (error) {
    await undo();
    const { code, path = root } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new WriteError(
      `${path} cannot be copied (${code}). Nothing was changed; look at ${root} and try again.`,
    );
  }
  return undo;
}

/** Whether the copy is there and says the same; undefined where nothing is there. */
async function sameAt(source: string, target: string): Promise<boolean | undefined> {
  const there = await lstat(target).catch(() => undefined);
  if (there === undefined) return undefined;
  const one = await lstat(source);
  if (one.isSymbolicLink() && there.isSymbolicLink())
    return (await readlink(source)) === (await readlink(target));
  if (!one.isFile() || !there.isFile() || one.size !== there.size) return false;
  return (await readFile(source)).equals(await readFile(target));
}

function names(text: string, { name, folder }: Cluster): boolean {
  const words = [name, folder].map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?<![\\w.-])(${words.join("|")})(?![\\w-])`).test(text);
}

import type { Cluster, Fleet } from "../fleet/model.ts";
import { secretsName } from "../fleet/resolveSecrets.ts";
import { type GitContext, GitError, type TreeReader, withTrees } from "../git/index.ts";
import { folderOf, fullPath } from "../values/path.ts";
import { readYaml } from "../values/readYaml.ts";
import { sopsRecipients } from "../values/sopsRecipients.ts";

/** SOPS files that people wrote and a key of age can read; or why nobody could look. */
export type ReadableFiles =
  | { readonly files: readonly { readonly branch: string; readonly path: string }[] }
  | { readonly fault: string };

/** What SOPS encrypts. */
const encryptable = /\.(ya?ml|json|env|ini)$/;
/** Files read at once. */
const batch = 2000;

/**
 * The SOPS files on the branches of a fleet that are encrypted for a key, apart from those that updates write: an update
 * encrypts these anew by itself, and nobody but their owners can do that with the others. Never rejects for what Git answers.
 */
export async function handWrittenFor(
  recipient: string,
  { repository: { url, branch }, clusters }: Pick<Fleet, "repository" | "clusters">,
  context: GitContext,
): Promise<ReadableFiles> {
  const branches = [...new Set([branch, ...clusters.map(({ follows }) => follows)])];
  const written = new Set(clusters.map((cluster: Cluster) => fullPath(cluster.folder, secretsName)));
  try {
    return await withTrees(url, branches, context, async ({ byBranch }) => {
      const found: { branch: string; path: string }[] = [];
      for (const [name, tree] of byBranch) {
        const paths = (await filesOf(tree)).filter(
          (path) => encryptable.test(path) && !written.has(folderOf(path)),
        );
        for (let at = 0; at < paths.length; at += batch) {
          const texts = await tree.read(paths.slice(at, at + batch));
          for (const [path, bytes] of texts)
            if (bytes.includes(recipient) && isFor(recipient, path, bytes.toString("utf8")))
              found.push({ branch: name, path });
        }
      }
      return { files: found };
    });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const [words = ""] = error.message.split("\n");
    return { fault: words };
  }
}

/** All files of a tree, a level at a time. */
async function filesOf(tree: TreeReader): Promise<string[]> {
  const files: string[] = [];
  for (let level = [""]; level.length > 0;) {
    const next: string[] = [];
    for (const [folder, entries] of await tree.list(level))
      for (const { name, kind } of entries) {
        const path = fullPath(folder, name);
        if (kind === "folder") next.push(path);
        else if (kind === "file") files.push(path);
      }
    level = next;
  }
  return files.sort();
}

/** Whether a file is one of SOPS for a key, and does not just speak of it, as a fleet file does. */
function isFor(recipient: string, path: string, text: string): boolean {
  // The simple forms keep SOPS's own part as keys such as sops_age__list_0__map_recipient.
  if (/\.(env|ini)$/.test(path)) return /^sops_|^\[sops\]/m.test(text);
  const read = readYaml(text, { version: "1.2" });
  // Of what nobody can read here, one file too many is named, and not one too few.
  if ("fault" in read) return /\bsops\b/.test(text);
  return read.documents.some((document) => sopsRecipients(document).includes(recipient));
}

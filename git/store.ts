import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commitTreeArgv, writeBlobsArgv, writeTreesArgv } from "./argv.ts";
import { withIdentity } from "./environment.ts";
import type { GitError } from "./errors.ts";
import { classifyFailure } from "./outcome.ts";
import type { Rebuilt } from "./rebuild.ts";
import type { Scratch, Tip } from "./scratch.ts";
import type { ObjectId, WriteRequest } from "./types.ts";

/** Writes blobs, trees and the commit on top of the tip into the scratch repository. */
export async function storeCommit(
  scratch: Scratch,
  tip: Tip,
  { root, trees }: Rebuilt,
  blobs: readonly Buffer[],
  { message, author }: Pick<WriteRequest, "message" | "author">,
): Promise<ObjectId> {
  await storeObjects(scratch, "blobs", writeBlobsArgv(), blobs);
  await storeObjects(scratch, "trees", writeTreesArgv(), trees);
  const input = message.endsWith("\n") ? message : `${message}\n`;
  const env = withIdentity(scratch.session.env, author);
  // git looks the tree up, so a root id that we computed wrongly would stop here.
  const made = await scratch.git(commitTreeArgv(root, tip.commit), { input, env });
  const commit = made.stdout.toString().trim();
  if (made.code !== 0 || commit === "") throw local(scratch, "The commit could not be made", made.stderr);
  return commit;
}

/** One process for all: it reads the contents from files. */
async function storeObjects(
  scratch: Scratch,
  name: string,
  argv: readonly string[],
  contents: readonly Buffer[],
): Promise<void> {
  if (contents.length === 0) return;
  const folder = join(scratch.folder, `new-${name}`);
  await mkdir(folder, { recursive: true });
  const paths = contents.map((_, index) => join(folder, String(index)));
  // One at a time: thousands at once would run out of file descriptors.
  for (const [index, content] of contents.entries()) await writeFile(paths[index] ?? "", content);
  const { code, stderr } = await scratch.git(argv, { input: paths.map((path) => `${path}\n`).join("") });
  if (code !== 0) throw local(scratch, `The ${name} of the commit could not be stored`, stderr);
}

function local(scratch: Scratch, doing: string, stderr: string): GitError {
  return scratch.session.failure(doing, { kind: "failed", said: classifyFailure(stderr).said });
}

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commitTreeArgv, writeBlobsArgv, writeTreesArgv } from "./argv.ts";
import { withIdentity } from "./environment.ts";
import type { GitError } from "./errors.ts";
import { classifyFailure } from "./outcome.ts";
import type { Scratch } from "./scratch.ts";
import type { ObjectId, WriteRequest } from "./types.ts";

/** Writes raw trees and blobs into the scratch repository: one process for each kind. */
export async function storeObjects(
  scratch: Scratch,
  blobs: readonly Buffer[],
  trees: readonly Buffer[],
): Promise<void> {
  await store(scratch, "blobs", writeBlobsArgv(), blobs);
  await store(scratch, "trees", writeTreesArgv(), trees);
}

/** Makes one commit of a tree that is stored already. */
export async function storeCommit(
  scratch: Scratch,
  tree: ObjectId,
  parent: ObjectId,
  { message, author }: Pick<WriteRequest, "message" | "author">,
): Promise<ObjectId> {
  const input = message.endsWith("\n") ? message : `${message}\n`;
  const env = withIdentity(scratch.session.env, author);
  // git looks the tree up, so an id that we computed wrongly would stop here.
  const made = await scratch.git(commitTreeArgv(tree, parent), { input, env });
  const commit = made.stdout.toString().trim();
  if (made.code !== 0 || commit === "") throw local(scratch, "The commit could not be made", made.stderr);
  return commit;
}

/** One process for all: it reads the contents from files. */
async function store(
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

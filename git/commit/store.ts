import { commitTreeArgv } from "../access/argv.ts";
import { withIdentity } from "../access/environment.ts";
import { GitError } from "../words/errors.ts";
import { composeMessage } from "../words/message.ts";
import type { MessageSource, Written } from "../words/message.ts";
import { classifyFailure } from "../access/outcome.ts";
import { sideTrailers } from "./sideBranch.ts";
import { storeLoose } from "../plumbing/looseObject.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import { SigningError, withSigning } from "./signing.ts";
import { withTrailers } from "../words/trailers.ts";
import type { Signing } from "../words/delivery.ts";
import type { Identity, ObjectId, WriteRequest } from "../words/types.ts";

/** Writes raw trees and blobs into the scratch repository, as git keeps single objects: no line-ending rule touches them. */
export async function storeObjects(
  scratch: Scratch,
  blobs: readonly Buffer[],
  trees: readonly Buffer[],
  digits: number,
): Promise<void> {
  // One at a time: thousands at once would run out of file descriptors.
  for (const content of blobs) await storeLoose(scratch.folder, "blob", content, digits);
  for (const content of trees) await storeLoose(scratch.folder, "tree", content, digits);
}

/** A write, as far as a commit is made of it. */
export interface Committed extends Written {
  readonly source: MessageSource & Pick<WriteRequest, "author" | "side">;
}

/**
 * Makes one commit of a tree that is stored already. Rejects with SigningError where it is to be signed and cannot be.
 */
export async function storeCommit(
  scratch: Scratch,
  tree: ObjectId,
  parents: ObjectId | readonly ObjectId[],
  written: readonly [Committed, ...Committed[]],
): Promise<ObjectId> {
  const { author, delivery, side } = written[0].source;
  const message = withTrailers(composeMessage(written), {
    ...(side && sideTrailers(tree)),
  });
  return makeCommit(scratch, {
    tree,
    parents,
    message,
    author,
    committer: delivery?.committer,
    signing: delivery?.signing,
  });
}

/** A commit to make of a tree that is stored already, or that the remote repository has. */
export interface NewCommit {
  readonly tree: ObjectId;
  readonly parents: ObjectId | readonly ObjectId[];
  /** Complete, with its trailers. */
  readonly message: string;
  readonly author: Identity;
  /** The author where absent. */
  readonly committer?: Identity | undefined;
  readonly signing?: Signing | undefined;
}

/** Makes a commit in the scratch repository. Rejects with SigningError where it is to be signed and cannot be. */
export async function makeCommit(
  scratch: Scratch,
  { tree, parents, message: input, author, committer, signing: how }: NewCommit,
): Promise<ObjectId> {
  const { session, folder } = scratch;
  const plain = withIdentity(session.env, author, committer);
  let unsigned = false;
  return withSigning(session, folder, how, plain, async (signing) => {
    const signed = signing !== undefined;
    unsigned = !signed;
    // git looks the tree up, so an id that we computed wrongly would stop here.
    const argv = commitTreeArgv(tree, parents, { signed });
    const made = await scratch.git(argv, { input, env: signing ?? plain });
    const commit = made.stdout.toString().trim();
    if (made.code !== 0 || commit === "") {
      throw signed
        ? notSigned(scratch, made.stderr)
        : local(scratch, "The commit could not be made", made.stderr);
    }
    if (signed) await assertSigned(scratch, commit);
    return commit;
  }).catch((error: unknown) => {
    if (unsigned || !(error instanceof GitError) || error.kind === "abandoned") throw error;
    throw new SigningError(error.kind, error.message);
  });
}

/** Nobody knows the file that the key was copied to, so what is said of it is said of the key. */
function notSigned(scratch: Scratch, stderr: string): GitError {
  const said = stderr.replace(/"?[^\s"]*[\\/]sign[\\/]key(\.pub)?"?/g, "the signing key");
  const { kind, message } = local(scratch, "The commit could not be signed, and was not pushed", said);
  const next =
    "The key must be a private one without a passphrase; or a public one of which ssh-agent holds the private half.";
  return new GitError(kind, `${message}\n${next}`);
}

/** A signing program that ends well and writes nothing must not pass. */
async function assertSigned(scratch: Scratch, commit: ObjectId): Promise<void> {
  const { stdout } = await scratch.git(["cat-file", "commit", commit]);
  const head = stdout.toString("latin1").split("\n\n", 1)[0] ?? "";
  if (!/^gpgsig(-sha256)? -----BEGIN /m.test(head)) {
    throw local(scratch, "The commit holds no signature, and was not pushed", "");
  }
}

function local(scratch: Scratch, doing: string, stderr: string): GitError {
  return scratch.session.failure(doing, { kind: "failed", said: classifyFailure(stderr).said });
}

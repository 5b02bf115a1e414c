import { commitTreeArgv, tagArgv } from "../access/argv.ts";
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
  const plain = withIdentity(scratch.session.env, author, committer);
  return signed(scratch, how, plain, "commit", async (env, isSigned) => {
    // git looks the tree up, so an id that we computed wrongly would stop here.
    const argv = commitTreeArgv(tree, parents, { signed: isSigned });
    const { code, stdout, stderr } = await scratch.git(argv, { input, env });
    return { id: code === 0 ? stdout.toString().trim() : "", stderr };
  });
}

/** An annotated tag to make of a commit that was read here. */
export interface NewTag {
  readonly name: string;
  readonly commit: ObjectId;
  readonly message: string;
  readonly tagger: Identity;
  readonly signing?: Signing | undefined;
}

/** A tag as it was made. */
export interface MadeTag {
  readonly id: ObjectId;
  readonly isSigned: boolean;
}

/** Makes a tag in the scratch repository, signed as a commit would be. Rejects with SigningError where it cannot be. */
export async function makeTag(
  scratch: Scratch,
  { name, commit, message, tagger, signing }: NewTag,
): Promise<MadeTag> {
  let isSigned = false;
  const plain = withIdentity(scratch.session.env, tagger);
  const id = await signed(scratch, signing, plain, "tag", async (env, signs) => {
    isSigned = signs;
    const made = await scratch.git(tagArgv(name, commit, { signed: signs }), { input: message, env });
    if (made.code !== 0) return { id: "", stderr: made.stderr };
    const { stdout } = await scratch.git(["rev-parse", "--verify", `refs/tags/${name}`]);
    return { id: stdout.toString().trim(), stderr: "" };
  });
  return { id, isSigned };
}

/** Makes an object, in the environment that signs it where there is a key; and looks whether it is signed. */
async function signed(
  scratch: Scratch,
  how: Signing | undefined,
  plain: NodeJS.ProcessEnv,
  kind: "commit" | "tag",
  make: (
    env: NodeJS.ProcessEnv,
    isSigned: boolean,
  ) => Promise<{ readonly id: ObjectId; readonly stderr: string }>,
): Promise<ObjectId> {
  let unsigned = false;
  return withSigning(scratch.session, scratch.folder, how, plain, async (signing) => {
    unsigned = signing === undefined;
    const { id, stderr } = await make(signing ?? plain, !unsigned);
    if (id === "")
      throw unsigned
        ? local(scratch, `The ${kind} could not be made`, stderr)
        : notSigned(scratch, kind, stderr);
    if (!unsigned) await assertSigned(scratch, kind, id);
    return id;
  }).catch((error: unknown) => {
    if (unsigned || !(error instanceof GitError) || error.kind === "abandoned") throw error;
    throw new SigningError(error.kind, error.message);
  });
}

/** Nobody knows the file that the key was copied to, so what is said of it is said of the key. */
function notSigned(scratch: Scratch, what: string, stderr: string): GitError {
  const said = stderr.replace(/"?[^\s"]*[\\/]sign[\\/]key(\.pub)?"?/g, "the signing key");
  const { kind, message } = local(scratch, `The ${what} could not be signed, and was not pushed`, said);
  const next =
    "The key must be a private one without a passphrase; or a public one of which ssh-agent holds the private half.";
  return new GitError(kind, `${message}\n${next}`);
}

/** Where git puts a signature: in the head of a commit, at the end of a tag. */
const signatures = {
  commit: /^gpgsig(-sha256)? -----BEGIN /m,
  tag: /^-----BEGIN (SSH|PGP) (SIGNATURE|MESSAGE)-----$/m,
} as const;

/** A signing program that ends well and writes nothing must not pass. */
async function assertSigned(scratch: Scratch, kind: "commit" | "tag", id: ObjectId): Promise<void> {
  const { stdout } = await scratch.git(["cat-file", kind, id]);
  const text = stdout.toString("latin1");
  const where = kind === "commit" ? (text.split("\n\n", 1)[0] ?? "") : text;
  if (!signatures[kind].test(where)) {
    throw local(scratch, `The ${kind} holds no signature, and was not pushed`, "");
  }
}

function local(scratch: Scratch, doing: string, stderr: string): GitError {
  return scratch.session.failure(doing, { kind: "failed", said: classifyFailure(stderr).said });
}

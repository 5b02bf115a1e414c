import { commitTreeArgv } from "../access/argv.ts";
import { withIdentity } from "../access/environment.ts";
import { classifyFailure } from "../access/outcome.ts";
import { openSession } from "../access/session.ts";
import { locate } from "../plumbing/locate.ts";
import { rebuild } from "../plumbing/rebuild.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import { objectId } from "../plumbing/tree.ts";
import { withScratch } from "../plumbing/withScratch.ts";
import { GitError } from "../words/errors.ts";
import type { Branch, GitContext, Identity, ObjectId } from "../words/types.ts";
import { push } from "./push.ts";
import { storeObjects } from "./store.ts";

/** A file of a branch that holds nothing but files of its kind, such as a log: nobody else's files are on it. */
export interface FileChange extends Branch {
  /** From the root. */
  readonly path: string;
  readonly message: string;
  readonly author: Identity;
}

/** How often a lost race is tried again. */
const attempts = 5;

/**
 * Changes one file by one commit, on a branch that is made where it is missing. `change` gets what the file holds (nothing
 * where it is missing) and says what it is to hold; undefined leaves all as it is. Called again where somebody else pushed
 * first. Gives the commit, if one was made. Rejects with GitError.
 */
export async function changeFile(
  request: FileChange,
  context: GitContext,
  change: (before: string) => string | undefined,
): Promise<ObjectId | undefined> {
  const session = await openSession(request.url, context);
  return withScratch(session, async (scratch) => {
    for (let attempt = 1; ; attempt += 1) {
      const made = await commitOn(scratch, request, change);
      if (made === undefined) return undefined;
      const failure = await push(scratch, made.commit, request.branch, made.start);
      if (failure === undefined) return made.commit;
      if (failure.kind !== "race" || attempt === attempts) {
        throw session.failure(`${request.path} could not be pushed to ${request.branch}`, failure);
      }
    }
  });
}

async function commitOn(
  scratch: Scratch,
  { branch, path, message, author }: FileChange,
  change: (before: string) => string | undefined,
): Promise<{ commit: ObjectId; start: { commit: ObjectId; create: boolean } } | undefined> {
  const tip = await scratch.fetchTip(branch);
  const tree = tip?.tree ?? scratch.emptyTree();
  const snapshot = await locate(tree, [path], scratch.loadTrees);
  const entry = snapshot.at.get(path);
  if (entry !== undefined && "blockedBy" in entry) {
    throw new GitError(
      "conflict",
      `${path} of ${branch} lies in what is not a folder. Take that away and run again.`,
    );
  }
  const found = entry === undefined ? undefined : (await scratch.readBlobs([entry.id], limit)).get(entry.id);
  if (found !== undefined && "tooLarge" in found) {
    throw new GitError("unreadable", `${path} of ${branch} has ${found.tooLarge} bytes, which is too large.`);
  }
  const after = change(found?.toString("utf8") ?? "");
  if (after === undefined) return undefined;
  const content = Buffer.from(after, "utf8");
  const { root, trees } = rebuild(snapshot, new Map([[path, objectId("blob", content, tree.length)]]));
  await storeObjects(
    scratch,
    [content],
    trees.map(({ raw }) => raw),
    tree.length,
  );
  const made = await scratch.git(commitTreeArgv(root, tip === undefined ? [] : [tip.commit]), {
    input: `${message}\n`,
    env: withIdentity(scratch.session.env, author),
  });
  const commit = made.stdout.toString().trim();
  if (made.code !== 0 || commit === "") {
    const { said } = classifyFailure(made.stderr);
    throw scratch.session.failure("The commit could not be made", { kind: "failed", said });
  }
  return { commit, start: { commit: tip?.commit ?? "", create: tip === undefined } };
}

/** A month of a log may be large. */
const limit = { each: 64 << 20, all: 64 << 20 };
